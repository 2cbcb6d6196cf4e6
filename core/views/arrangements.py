"""The norms put elsewhere: on the same weights, and in networks before any training."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..capture import Capture
from ..zoo import Model
from .vectors import cosine

ARRANGEMENTS = ("post", "pre", "input")
ARRANGEMENT_TAPS = (
    "embedding.sum",
    "embedding.output",
    "encoder.*.skip",
    "encoder.*.attention.output",
    "encoder.*.feedforward.output",
    "encoder.*.residual",
    "encoder.*norm.output",
    "encoder.*.output",
    "decoder.*.skip",
    "decoder.*.residual",
    "decoder.*.output",
)
START_FILE = Path(__file__).parents[2] / "assets/experiments/layernorm.json"


@dataclass(frozen=True, eq=False)
class ArrangementView:
    """One arrangement of the same weights: how far each state's numbers are spread.

    `spreads`: tap -> the standard deviation of a token's numbers, averaged over the tokens.
    """

    norm: str
    layers: Mapping[str, int]  # of each stack: "encoder" and, in a translator, "decoder"
    spreads: Mapping[str, float]
    last: np.ndarray  # [token, d_model], what leaves the encoder
    top: str  # the tap of it
    text_out: str | None  # what a translator then writes

    @property
    def nbytes(self) -> int:
        return self.last.nbytes

    def outputs(self, stack: str = "encoder") -> list[float]:
        """The spread of the stream: where it enters, and after each layer."""
        entrance = "embedding.output" if stack == "encoder" else "decoder.embedding.output"
        return [self.spreads[tap] for tap in (entrance, *(f"{stack}.{i}.output" for i in range(self.layers[stack])))]

    def agreement(self, other: "ArrangementView") -> float:
        """The mean over tokens of the cosine between two arrangements' last states."""
        return float(cosine(self.last, other.last).mean())


def arrangement_view(run: Capture, model: Model) -> ArrangementView:
    """The view of a capture, by a model that was `rearranged`, that holds `ARRANGEMENT_TAPS`."""
    config, norm = model.config, model.config.norm
    stacks = {"encoder": config.layers, "decoder": config.decoder_layers}
    layers = {stack: count for stack, count in stacks.items() if count}
    states = (".skip", ".residual", ".output")
    kept = [name for name in run.names() if name.endswith(states) and run.dims(name)[-1] == "d_model"]
    top = "encoder.norm.output" if norm == "pre" else f"encoder.{config.layers - 1}.output"
    return ArrangementView(
        norm, layers, {tap: float(run[tap].std(-1).mean()) for tap in kept}, run[top], top, run.text_out
    )


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
