"""Where attention writes most; where one part writes twice as much as the other; whose stream turns least."""

import numpy as np

from ..text.token import named
from ..views.encoder import EncoderView
from .exercise import Exercise, Patch, Values, Verdict, from_here

TWICE = 2.0


def shares(view: EncoderView, part: str) -> np.ndarray:
    """[layer, token]: how much a part of the stack that reads writes, of how long the stream is."""
    return np.stack([view.at(view.reader, layer, part).share for layer in range(1, view.layers + 1)])


def name(view: EncoderView, token: int) -> str:
    return named([one.text for one in view.tokens], token)


def writes_most(view: EncoderView, values: Values) -> Verdict:
    """Is that layer selected in which attention writes most onto the selected token's stream?"""
    found = shares(view, "attention")[:, values["pos"]]
    here = float(found[values["layer"] - 1])
    facts = {
        "token": name(view, values["pos"]),
        "layer": values["layer"],
        "share": here,
        "more": int((found > here).sum()),
        "least": float(found.min()),
    }
    return Verdict(bool(here >= found.max()), facts)


def the_most(view: EncoderView, values: Values) -> Patch:
    layer = int(shares(view, "attention")[:, values["pos"]].argmax()) + 1
    return {"layer": layer, "part": f"{view.reader}.attention", "pos": values["pos"]}


def twice(view: EncoderView, values: Values) -> Verdict:
    """Of the selected token in the selected layer: does one part write twice as much as the other?"""
    attention, network = (float(shares(view, part)[values["layer"] - 1, values["pos"]]) for part in PARTS)
    ratio = max(attention, network) / max(min(attention, network), 1e-12)
    facts = {
        "token": name(view, values["pos"]),
        "layer": values["layer"],
        "attention": attention,
        "network": network,
        "ratio": ratio,
    }
    return Verdict(ratio >= TWICE, facts)


PARTS = ("attention", "feedforward")


def where_twice(view: EncoderView, values: Values) -> Patch | None:
    both = np.stack([shares(view, part) for part in PARTS])
    ratios = both.max(0) / np.maximum(both.min(0), 1e-12)  # layer, token
    for layer in from_here(values["layer"], view.layers):
        token = values["pos"] if ratios[layer - 1, values["pos"]] >= TWICE else int(ratios[layer - 1].argmax())
        if ratios[layer - 1, token] >= TWICE:
            part = PARTS[int(both[:, layer - 1, token].argmax())]
            return {"layer": layer, "pos": token, "part": f"{view.reader}.{part}"}
    return None


def stays(view: EncoderView, values: Values) -> Verdict:
    """Is the token selected that has turned least when it leaves the last layer?"""
    last = view.moved[-1]
    here = float(last[values["pos"]])
    facts = {"token": name(view, values["pos"]), "cosine": here, "more": int((last > here).sum())}
    return Verdict(bool(here >= last.max()), facts)


def the_one_that_stays(view: EncoderView, values: Values) -> Patch:
    return {"pos": int(view.moved[-1].argmax()), "layer": view.layers}


EXERCISES = (
    Exercise("most", writes_most, the_most),
    Exercise("twice", twice, where_twice),
    Exercise("stays", stays, the_one_that_stays),
)
