"""How much a loss moves with a number: its gradient, of one number, and how long that of a row or of a matrix is.

The loss is the run's own; of a model that only reads, it takes a second sentence to be compared with: the last states
of that are what the kinds `…_toward` name besides.
"""

from collections.abc import Callable

import numpy as np

from ...capture import Capture
from ...model.places import split
from ..backward import ASIDE, MATRICES, Backward, backward
from ..backward.gradient import each_number
from ..backward.learned import all_through, door
from ..flow import TABLE
from ..operators import length, total
from ..origins import Cell, Measure, Origin, Weight, within
from ..steps import Named
from .kind import Kind, Made, Steps, refused

NAME = "gradient"
TOWARD = "_toward"
DOORS = {"source": "embedding.token", "target": "decoder.embedding.token", "output": "output.logits"}  # to the table


def kind_of(what: Measure) -> str:
    """Whether it is the gradient by one number, by a row or by all of a tap or matrix; whatever the loss and the
    door."""
    door = door_of(what)
    return what.kind.removesuffix(TOWARD).replace(f"_{door}" if door else "", "", 1)


def door_of(what: Measure) -> str:
    """Through which door alone it comes to the table; "" where through all."""
    return next((name for name in DOORS if f"_{name}" in what.kind), "")


def back_of(run: Capture, what: Measure) -> Backward:
    of, *toward = what.of
    own = run.beside(of.given, ()) if of.given else run
    return Backward(own, toward[0] if toward else None, of.given)  # type: ignore[arg-type]


def at_hand(what: Measure) -> Origin:
    """What it is the gradient by, in its own run."""
    return within(what.of[0], None)


def passed(what: Measure) -> bool:
    """A gradient passes what the loss is made of."""
    groups = what.grouped(what.of)
    return all(passes(first) and all(isinstance(of, Cell) for of in toward) for first, *toward in groups)


def passes(of: Origin) -> bool:
    if isinstance(of, Cell):
        return split(of.name)[1] not in ASIDE
    module, _, word = of.name.rpartition(".")
    return word in ("gamma", "beta") or module.endswith("table") or module.rpartition(".")[2] in MATRICES


def gradient(run: Capture, what: Measure) -> np.ndarray:
    """By one number, a row or all of a tap or matrix, by autograd, float32."""
    of = at_hand(what)
    return back_of(run, what).of(of)[of.slices]


def gradient_steps(run: Capture, what: Measure) -> Steps:
    return tuple(backward(back_of(run, what), at_hand(what)))


def long(run: Capture, what: Measure) -> Steps:
    return length(back_of(run, what).slope(at_hand(what)), "back_length")


def through_door(what: Measure) -> bool:
    """Of a model that writes: the table is used at both ends."""
    return isinstance(what.of[0], Weight) and what.of[0].name == TABLE


def by_door(run: Capture, what: Measure) -> np.ndarray:
    """What comes to a number, a row or all of the table through one door. Raises InputError where there is no such
    door."""
    back, tap = back_of(run, what), DOORS[door_of(what)]
    if tap not in back.flow.dims or not back.run.target_in:
        raise refused(what)
    return all_through(back, tap)[at_hand(what).slices]


def one_by_door(run: Capture, what: Measure) -> Steps:
    return tuple(door(back_of(run, what), at_hand(what), DOORS[door_of(what)]))  # type: ignore[arg-type]


def long_by_door(run: Capture, what: Measure) -> Steps:
    (of,), kind, values = what.of, f"{NAME}_{door_of(what)}", by_door(run, what).astype(np.float64)
    return length(each_number(values, of, lambda one: Measure(kind, (one,))), "back_length")


# ---- by a row that was fetched several times: the sum of the gradients by each


def each(what: Measure, open: str = "") -> list[Measure]:
    """The gradients that are added up. Raises InputError where one is no gradient of a row or of a number."""
    kind, size = f"{NAME}{open}{TOWARD * what.kind.endswith(TOWARD)}", 1 + what.kind.endswith(TOWARD)
    if set(what.groups) != {size}:
        raise refused(what)
    return [Measure(kind, tuple(group)) for group in what.grouped(what.of)]


def added(run: Capture, what: Measure) -> Steps:
    parts = each(what)
    numbers = np.array([gradient(run, one) for one in parts], np.float64)
    return (total("gradients_sum", Named(numbers, source=lambda i: parts[i])),)


def rows_long(run: Capture, what: Measure) -> Steps:
    rows = [gradient(run, one).astype(np.float64) for one in each(what, "_row")]
    if len({row.shape for row in rows}) != 1:
        raise refused(what)
    kind, size = what.kind.replace("rows", "added"), len(what.of) // len(rows)

    def source(i: int) -> Measure:
        return Measure(kind, tuple(of if at % size else of.at(i) for at, of in enumerate(what.of)), what.groups)

    return length(Named(np.sum(rows, axis=0), source=source), "back_length")


def of_door(name: str) -> dict[str, Kind]:
    """What comes to the table through one of its doors: to a number, a row, or all."""
    return {
        f"{NAME}_{name}": Kind((0,), one_by_door, through_door, terms="made", held=held(by_door)),
        f"{NAME}_{name}_row": Kind((1,), long_by_door, through_door, terms="made"),
        f"{NAME}_{name}_all": Kind((2,), long_by_door, through_door, terms="made"),
    }


def held(gradient: Callable[[Capture, Measure], np.ndarray]) -> Callable[[Capture, Measure], float]:
    return lambda run, what: float(gradient(run, what))


def kinds(name: str, open: int, steps: Made, grouped: bool = False, held: Callable | None = None) -> dict[str, Kind]:
    """A kind for either loss."""
    terms = "each" if grouped and not open else "dim" if grouped else "made"
    return {
        name: Kind((open,), steps, passed, terms=terms, grouped=grouped, held=held),
        f"{name}{TOWARD}": Kind((open, 2), steps, passed, terms=terms, grouped=grouped, held=held),
    }


KINDS = {
    **kinds("gradient", 0, gradient_steps, held=held(gradient)),
    **kinds("gradient_row", 1, long),
    **kinds("gradient_all", 2, long),
    **{name: kind for each in DOORS for name, kind in of_door(each).items()},
    **kinds("gradient_added", 0, added, grouped=True),
    **kinds("gradient_rows", 1, rows_long, grouped=True),
}
