"""How much a loss moves with a number: its gradient, of one number, and how long that of a row or of a matrix is.

The loss is the run's own; of a model that only reads, it takes a second sentence to be compared with: the last states
of that are what the kinds `…_toward` name besides.
"""

import math
from collections.abc import Callable

import numpy as np

from core.capture import Capture
from core.derivation.backward import ASIDE, Backward, backward
from core.derivation.measures.kind import Kind
from core.derivation.origins import Cell, Measure
from core.derivation.steps import Step, summed
from core.model.places import split


def back_of(run: Capture, what: Measure) -> Backward:
    _, *toward = what.of
    return Backward(run, toward[0] if toward else None)  # type: ignore[arg-type]


def passed(what: Measure) -> bool:
    """A gradient passes what the loss is made of."""
    first, *toward = what.of
    here = not isinstance(first, Cell) or split(first.name)[1] not in ASIDE
    return here and first.given is None and all(isinstance(of, Cell) for of in toward)


def gradient(run: Capture, what: Measure) -> float:
    of = what.of[0]
    return float(back_of(run, what).of(of)[of.slices])


def gradient_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return tuple(backward(back_of(run, what), what.of[0]))


def long(run: Capture, what: Measure) -> float:
    of = what.of[0]
    return float(np.linalg.norm(back_of(run, what).of(of)[of.slices]))


def long_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    slopes = back_of(run, what).slope(what.of[0])
    squares = summed("row_squares", slopes, slopes)
    return squares, Step("row_length", math.sqrt(squares.value), {"sum": squares.value})


def kinds(name: str, open: int, value: Callable, steps: Callable) -> dict[str, Kind]:
    """A kind for either loss."""
    return {
        name: Kind((open,), value, steps, passed, terms="made"),
        f"{name}_toward": Kind((open, 2), value, steps, passed, terms="made"),
    }


KINDS = {
    **kinds("gradient", 0, gradient, gradient_steps),
    **kinds("gradient_row", 1, long, long_steps),
    **kinds("gradient_all", 2, long, long_steps),
}
