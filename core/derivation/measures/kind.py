"""What there is to say of a kind of measure, and how its rows are read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.origins import Cell, Measure, Origin
from core.derivation.steps import Step, Vector


def anything(what: Measure) -> bool:
    return True


def nothing(what: Measure) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of measure.

    Attributes:
        open: of each origin, how many of its axes are measured; where they stand in groups, again and again.
        value: the number itself, as NumPy computes it from the captured rows. Raises InputError where there is none.
        steps: the same in float64, step by step.
        fits: whether its rows are of a kind that is measured so.
        reads: the taps it reads besides those it is of.
        terms: what tells the terms of its sum apart: a dimension, the two places of a number, rows, the key, a word of
            the vocabulary, the number that each is the gradient by, the sentences that two rows are of, the layer,
            or who looks.
        grouped: whether it is of any number of origins, in groups.
    """

    open: tuple[int, ...]
    value: Callable[[Capture, Measure], float]
    steps: Callable[[Capture, Measure], tuple[Step, ...]]
    fits: Callable[[Measure], bool] = anything
    reads: Callable[[Measure], tuple[str, ...]] = nothing
    terms: Literal["head", "dim", "number", "rows", "key", "word", "made", "texts", "each", "layer", "query"] = "dim"
    grouped: bool = False

    def opens(self, count: int) -> tuple[int, ...]:
        """Of each of so many origins, how many of its axes are measured."""
        return (self.open * count)[:count] if self.grouped else self.open


def cells(what: Measure) -> bool:
    """Of taps: all of a table would be too much."""
    return all(isinstance(of, Cell) for of in what.of)


def read(run: Capture, of: Origin) -> np.ndarray:
    """What it names, as it was captured."""
    return array(run, of)[of.slices]


def vectors(run: Capture, what: Measure) -> list[Vector]:
    return [Vector.read(array(run, of), of) for of in what.of]
