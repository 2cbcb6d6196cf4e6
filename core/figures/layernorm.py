"""Lines for the layernorm stage: spread through a model's norms, and spread and gradient before any training."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from ..views.arrangements import ARRANGEMENTS, Starts
from ..views.layernorm import DepthView
from .curves import Along, Curves, CurvesWords, Look, Series, Upwards

TALL = 290  # pixels
LOOKS: Mapping[str, Look] = {"post": "accent", "pre": "second", "input": "faint"}
Shown = Literal["spread", "gradient"]


def depth_figure(view: DepthView, words: Mapping[str, str]) -> Curves:
    """Spread before and after each norm; a press selects the norm. `words`: label, before, after, axis."""
    return Curves(
        Along(len(view.spreads), words["axis"], from_=1, param="norm"),
        Upwards(low=0),
        [Series(words["before"]), Series(words["after"], "second")],
        [np.asarray(values, np.float32) for values in (view.spreads, view.after)],
        CurvesWords(words["label"]),
        TALL,
        ends=True,
    )


def start_figure(starts: Starts, shown: Shown, words: Mapping[str, str]) -> Curves:
    """By arrangement, the stream's spread after each layer of the deepest networks, or the length of the whole gradient
    by the number of layers. `words`: the arrangements, label, axis."""
    if shown == "spread":
        lines = {a: dict(enumerate(starts.deepest(a).spreads)) for a in ARRANGEMENTS}
    else:
        lines = {a: {start.layers: start.gradient for start in starts.of(a)} for a in ARRANGEMENTS}
    first, last = (end(at for line in lines.values() for at in line) for end in (min, max))
    return Curves(
        Along(last - first + 1, words["axis"], from_=first),
        Upwards(log=True),
        [Series(words[a], LOOKS[a], joined=True) for a in lines],
        [at_every(line, range(first, last + 1)) for line in lines.values()],
        CurvesWords(words["label"]),
        TALL,
        ends=True,
    )


def at_every(line: Mapping[int, float], places: Sequence[int]) -> np.ndarray:
    """A gap where there is no number."""
    return np.array([line.get(at, np.nan) for at in places], np.float32)
