"""What there is to say of a kind of measure, and how its rows are read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...capture import Capture
from ...errors import InputError
from ..origins import Cell, Measure, Origin
from ..reading import array
from ..steps import Step, Vector

Steps = tuple[Step, ...]
Made = Callable[[Capture, Measure], Steps]


def anything(what: Measure) -> bool:
    return True


def nothing(what: Measure) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of measure.

    Attributes:
        open: of each origin, how many of its axes are measured; where they stand in groups, again and again.
        steps: how it is made, in float64, step by step, with core.derivation.operators; the last gives the number.
            Raises InputError where there is none.
        fits: whether its rows are of a kind that is measured so.
        reads: the taps it reads besides those it is of.
        terms: what tells the terms of its sum apart: a dimension, the two places of a number, rows, the key, a word of
            the vocabulary, the number that each is the gradient by, the sentences that two rows are of, the layer,
            who looks, or the part of the model.
        grouped: whether it is of any number of origins, in groups.
        optional: how many of the last it may be without.
        held: the number found in another way, as by autograd, where there is one: it is what is shown, and what the
            steps are held against.
    """

    open: tuple[int, ...]
    steps: Made
    fits: Callable[[Measure], bool] = anything
    reads: Callable[[Measure], tuple[str, ...]] = nothing
    terms: Literal[
        "head", "dim", "number", "rows", "key", "word", "made", "texts", "each", "layer", "query", "part"
    ] = "dim"
    grouped: bool = False
    optional: int = 0
    held: Callable[[Capture, Measure], float] | None = None

    def opens(self, count: int) -> tuple[int, ...]:
        """Of each of so many origins, how many of its axes are measured."""
        if self.grouped:
            return (self.open * count)[:count]
        return self.open[: max(count, len(self.open) - self.optional)]

    def value(self, run: Capture, what: Measure) -> float:
        """The number itself."""
        return self.held(run, what) if self.held else self.steps(run, what)[-1].value


def cells(what: Measure) -> bool:
    """Of taps: all of a table would be too much."""
    return all(isinstance(of, Cell) for of in what.of)


def refused(what: Measure | Origin) -> InputError:
    """What is raised for rows that are not measured so."""
    return InputError("not_a_cell", text=str(what)[:80])


def read(run: Capture, of: Origin) -> np.ndarray:
    """What it names, in float64."""
    return array(run, of)[of.slices].astype(np.float64)


def vectors(run: Capture, what: Measure) -> list[Vector]:
    return [Vector(read(run, of), of) for of in what.of]


def of_one_shape(run: Capture, what: Measure) -> list[Vector]:
    """The same, of one shape. Raises InputError for others."""
    found = vectors(run, what)
    if len({row.values.shape for row in found}) != 1:
        raise refused(what)
    return found


def of_rows(steps: Callable[..., Steps]) -> Made:
    """Of what it names alone."""
    return lambda run, what: steps(*vectors(run, what))
