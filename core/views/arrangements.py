"""The norms put elsewhere: on the same weights, and in networks before any training."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..capture import Capture
from ..files import EXPERIMENTS
from ..model.places import SUBLAYERS
from ..zoo import Model
from .vectors import cosine

ARRANGEMENTS = ("post", "pre", "input")
ARRANGEMENT_TAPS = (
    "embedding.sum",
    "embedding.output",
    *(f"{stack}.*{word}" for stack in SUBLAYERS for word in (".skip", ".residual", "norm.output", ".output")),
)
START_FILE = EXPERIMENTS / "layernorm.json"


@dataclass(frozen=True, eq=False)
class ArrangementView:
    """One arrangement of the same weights: how far each state's numbers are spread.

    `spreads`: tap -> the standard deviation of a token's numbers, averaged over the tokens.
    """

    norm: str
    depths: Mapping[str, tuple[str, ...]]  # of each stack the taps of its stream: where it enters, after each layer
    spreads: Mapping[str, float]
    last: np.ndarray  # [token, d_model], what leaves the stack that reads
    top: str  # the tap of it
    text_out: str | None  # what a translator then writes

    @property
    def nbytes(self) -> int:
        return self.last.nbytes

    def outputs(self, stack: str = "") -> list[float]:
        """The spread of the stream, of the stack that reads where none is named: where it enters, and after each
        layer."""
        return [self.spreads[tap] for tap in self.depths[stack or next(iter(self.depths))]]

    def agreement(self, other: "ArrangementView") -> float:
        """The mean over tokens of the cosine between two arrangements' last states."""
        return float(cosine(self.last, other.last).mean())


def arrangement_view(run: Capture, model: Model) -> ArrangementView:
    """The view of a capture, by a model that was `rearranged`, that holds `ARRANGEMENT_TAPS`."""
    states = (".skip", ".residual", ".output")
    kept = [name for name in run.names() if name.endswith(states) and run.dims(name)[-1] == "d_model"]
    spreads = {tap: float(run[tap].std(-1).mean()) for tap in kept}
    depths = {stack: model.depths(stack) for stack in model.stacks}
    top = model.reader.exit
    return ArrangementView(model.config.norm, depths, spreads, run[top], top, run.text_out)


@dataclass(frozen=True)
class Start:
    """One arrangement of one depth before its first step: means over the seeds of `core.training.experiments`."""

    arrangement: str
    layers: int
    loss: float
    spreads: tuple[float, ...]  # of the stream: where it enters, and after each layer
    gradient: float  # the norm of the loss's gradient
    gradients: tuple[float, ...]  # the same by each layer's own parameters


@dataclass(frozen=True)
class Starts:
    """The committed experiment, and the command that makes it anew."""

    command: str
    settings: Mapping[str, Any]
    seconds: int
    starts: tuple[Start, ...]

    def of(self, arrangement: str) -> tuple[Start, ...]:
        """One arrangement, from shallow to deep."""
        return tuple(start for start in self.starts if start.arrangement == arrangement)

    def deepest(self, arrangement: str) -> Start:
        """One arrangement, of most layers."""
        return self.of(arrangement)[-1]


@cache
def starts() -> Starts:
    """What the experiment gave when it was last run."""
    found = json.loads(START_FILE.read_text(encoding="utf-8"))
    made = tuple(
        Start(**{**one, "spreads": tuple(one["spreads"]), "gradients": tuple(one["gradients"])})
        for one in found["starts"]
    )
    return Starts(found["command"], found["settings"], found["seconds"], made)
