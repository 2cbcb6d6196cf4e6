"""One sentence at several steps of the translator's training: what it wrote, and where its heads looked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..capture import capture
from ..model.taps import name_taps
from ..training.snapshots import STEPS, network_at
from ..zoo import Model


@dataclass(frozen=True, eq=False)
class Grown:
    """`wrote`: step -> what it made of the sentence by itself. `weights`: step -> [layer, head, target, source], while
    it was given the last step's own words, so that rows are the same words at every step."""

    text: str
    wrote: Mapping[int, str]
    weights: Mapping[int, np.ndarray]
    source: tuple[str, ...]
    target: tuple[str, ...]  # the word that is written in each row

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.weights.values()) + 2000


def model_at(model: Model, step: int) -> Model:
    """The same model after so many of `STEPS`."""
    network = network_at(model.folder, step)
    return replace(model, network=network, tap_dims=name_taps(network))


def grown(models: Mapping[int, Model], text: str) -> Grown:
    """`models` are those of `STEPS`."""
    wrote = {step: capture(models[step], text, only=()).text_out or "" for step in STEPS}
    runs = {step: capture(models[step], text, target=wrote[STEPS[-1]], only=taps(models[step])) for step in STEPS}
    weights = {step: np.stack([run[name] for name in run.names()]) for step, run in runs.items()}
    last = runs[STEPS[-1]]
    source, target = (tuple(token.text for token in side) for side in (last.tokens, last.target_out))
    return Grown(text, wrote, weights, source, target)


def taps(model: Model) -> Sequence[str]:
    return tuple(f"decoder.{i}.cross_attention.weights" for i in range(model.config.decoder_layers))
