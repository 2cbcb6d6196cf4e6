"""The recorded run of `core.training.lengths`: small models, one for each way of telling positions, read farther."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..files import EXPERIMENTS

FILE = EXPERIMENTS / "lengths.json"


@dataclass(frozen=True, eq=False)
class Kind:
    """One model. Losses are in nats a word, of the same words: given so many times as many words as in training."""

    kind: str
    trained: float  # in training, at its end
    losses: np.ndarray  # [times]; NaN where it has no position for so many
    memory: float  # read in segments, each looking back at the one before

    @property
    def truncated(self) -> float:
        """RunSpec no more words than training had."""
        return float(self.losses[0])


@dataclass(frozen=True, eq=False)
class Lengths:
    command: str
    date: str
    seed: int
    settings: Mapping[str, Any]
    times: Sequence[int]
    kinds: Mapping[str, Kind]
    t5: np.ndarray  # [layer, bucket, head], what T5's model learned to add
    as_met: float  # its loss at the greatest length, once buckets never met add what the farthest met adds

    @property
    def length(self) -> int:
        """Words in training."""
        return int(self.settings["length"])


def learned_bias(run: Lengths, head: int, farthest: int) -> np.ndarray:
    """[layer, distance]: what T5's model adds to a score for each distance back, from 0 to `farthest`."""
    from torch import arange

    from ..model.relative import buckets

    return run.t5[:, buckets(-arange(farthest + 1)).numpy(), head]


@lru_cache(maxsize=1)
def lengths() -> Lengths:
    raw = json.loads(FILE.read_text(encoding="utf-8"))
    kinds = {
        one["kind"]: Kind(
            one["kind"],
            one["trained"],
            np.array([np.nan if loss is None else loss for loss in one["losses"]]),
            one["memory"],
        )
        for one in raw["kinds"]
    }
    t5 = next(one for one in raw["kinds"] if one["kind"] == "t5")
    made = raw["command"], raw["date"], raw["seed"], raw["settings"], raw["times"]
    return Lengths(*made, kinds, np.array(t5["table"]), t5["as_met"])
