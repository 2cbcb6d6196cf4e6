"""LayerNorm of one small vector that somebody typed, every step of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from .norms import layer_norm

MOST = 12  # numbers in a small vector
LARGEST = 1e6  # beyond it, squares no longer tell small numbers apart
MINUS = str.maketrans("−－", "--")  # as pages write it, and as a Chinese keyboard does


@dataclass(frozen=True, eq=False)
class ByHand:
    """A small vector, normalised with γ = 1 and β = 0 in float64, and what `torch` makes of it."""

    values: np.ndarray
    mean: float
    centred: np.ndarray
    variance: float  # the biased one: Σ(x - μ)² ÷ d
    unbiased: float | None  # Σ(x - μ)² ÷ (d - 1); one number has none
    normalized: np.ndarray
    theirs: np.ndarray

    @property
    def difference(self) -> float:
        """The largest difference of any normalised number from torch's."""
        return float(np.abs(self.normalized - self.theirs).max())


def vector(entries: Sequence[str]) -> np.ndarray:
    """The numbers somebody typed. Raises InputError where they are none, too many, not numbers or too large."""
    if not 1 <= len(entries) <= MOST:
        raise InputError("vector_length", count=len(entries), limit=MOST)
    values = []
    for place, entry in enumerate(entries):
        try:
            value = float(entry.translate(MINUS))
        except ValueError:
            raise InputError("vector_entry", place=place, entry=entry[:20]) from None
        if not math.isfinite(value):
            raise InputError("vector_not_finite", place=place, entry=entry[:20])
        if abs(value) > LARGEST:
            raise InputError("vector_large", place=place, entry=entry[:20], limit=f"{LARGEST:,.0f}")
        values.append(value)
    return np.array(values)


def by_hand(values: np.ndarray, epsilon: float) -> ByHand:
    """LayerNorm of one small vector [d], ours beside `torch.nn.functional.layer_norm`."""
    import torch

    d = len(values)
    ours = layer_norm(values[None], np.ones(d), np.zeros(d), epsilon)
    theirs = torch.nn.functional.layer_norm(torch.tensor(values), (d,), eps=epsilon).numpy()
    assert ours.mean is not None and ours.variance is not None
    mean, variance = float(ours.mean[0]), float(ours.variance[0])
    unbiased = float(values.var(ddof=1)) if d > 1 else None
    return ByHand(values, mean, values - mean, variance, unbiased, ours.normalized[0], theirs)
