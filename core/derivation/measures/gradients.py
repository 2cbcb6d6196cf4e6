"""How much a loss moves with a number: its gradient, of one number, and how long that of a row or of a matrix is.

The loss is the run's own; of a model that only reads, it takes a second sentence to be compared with: the last states
of that are what the kinds `…_toward` name besides.
"""

import math
from collections.abc import Callable

import numpy as np

from core.capture import Capture
from core.derivation.backward import ASIDE, MATRICES, Backward, backward
from core.derivation.measures.kind import Kind
from core.derivation.origins import Cell, Measure, Origin, within
from core.derivation.steps import Step, summed
from core.model.places import split

NAME = "gradient"
TOWARD = "_toward"


def kind_of(what: Measure) -> str:
    """Whether it is the gradient by one number, by a row or by all of a tap or matrix; whatever the loss."""
    return what.kind.removesuffix(TOWARD)


def back_of(run: Capture, what: Measure) -> Backward:
    of, *toward = what.of
    own = run.beside(of.given, ()) if of.given else run
    return Backward(own, toward[0] if toward else None, of.given)  # type: ignore[arg-type]


def at_hand(what: Measure) -> Origin:
    """What it is the gradient by, in its own run."""
    return within(what.of[0], None)


def passed(what: Measure) -> bool:
    """A gradient passes what the loss is made of."""
    first, *toward = what.of
    return passes(first) and all(isinstance(of, Cell) for of in toward)


def passes(of: Origin) -> bool:
    if isinstance(of, Cell):
        return split(of.name)[1] not in ASIDE
    module, _, word = of.name.rpartition(".")
    return word in ("gamma", "beta") or module.endswith("table") or module.rpartition(".")[2] in MATRICES


def gradient(run: Capture, what: Measure) -> float:
    of = at_hand(what)
    return float(back_of(run, what).of(of)[of.slices])


def gradient_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return tuple(backward(back_of(run, what), at_hand(what)))


def long(run: Capture, what: Measure) -> float:
    of = at_hand(what)
    return float(np.linalg.norm(back_of(run, what).of(of)[of.slices]))


def long_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    slopes = back_of(run, what).slope(at_hand(what))
    squares = summed("row_squares", slopes, slopes)
    return squares, Step("back_length", math.sqrt(squares.value), {"sum": squares.value})


def kinds(name: str, open: int, value: Callable, steps: Callable) -> dict[str, Kind]:
    """A kind for either loss."""
    return {
        name: Kind((open,), value, steps, passed, terms="made"),
        f"{name}{TOWARD}": Kind((open, 2), value, steps, passed, terms="made"),
    }


KINDS = {
    **kinds("gradient", 0, gradient, gradient_steps),
    **kinds("gradient_row", 1, long, long_steps),
    **kinds("gradient_all", 2, long, long_steps),
}
