"""The parts every derivation is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Term:
    """One summand: left · right, at an index of the dimension that is summed over."""

    index: int
    left: float
    right: float

    @property
    def value(self) -> float:
        """The product."""
        return self.left * self.right


@dataclass(frozen=True)
class Step:
    """One line of a derivation: `parts` are the numbers in the operation, `value` what it gives.

    `terms` are the summands in their order, drawn as bars; `largest` those of the greatest size, to be read;
    `focus` is the one bar that is meant, where it is one.
    """

    id: str
    value: float
    parts: Mapping[str, float | str] = field(default_factory=dict)
    terms: tuple[float, ...] = ()
    largest: tuple[Term, ...] = ()
    focus: int | None = None


@dataclass(frozen=True)
class Derivation:
    """The steps to a number, and the captured number they are held against."""

    steps: tuple[Step, ...]
    captured: float

    @property
    def value(self) -> float:
        """What the last step gives."""
        return self.steps[-1].value

    @property
    def difference(self) -> float:
        """Recomputed (float64) minus captured (float32)."""
        return self.value - self.captured


def summed(
    id: str, left: Sequence[float] | np.ndarray, right: Sequence[float] | np.ndarray, **parts: float | str
) -> Step:
    """The step Σ left · right, with its three largest terms."""
    left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
    products = left * right
    order = np.argsort(-np.abs(products), kind="stable")[:3]
    largest = tuple(Term(int(i), float(left[i]), float(right[i])) for i in order)
    return Step(id, float(products.sum()), parts, tuple(float(p) for p in products), largest)
