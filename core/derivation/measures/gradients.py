"""How much a loss moves with a number: its gradient, of one number, and how long that of a row or of a matrix is.

The loss is the run's own; of a model that only reads, it takes a second sentence to be compared with: the last states
of that are what the kinds `…_toward` name besides.
"""

import math
from collections.abc import Callable

import numpy as np

from core.capture import Capture
from core.derivation.backward import ASIDE, MATRICES, Backward, backward
from core.derivation.backward.learned import all_through, door
from core.derivation.flow import TABLE
from core.derivation.measures.kind import Kind
from core.derivation.measures.many import mean_steps
from core.derivation.origins import Cell, Measure, Origin, Weight, within
from core.derivation.steps import Named, Step, Vector, summed
from core.errors import InputError
from core.model.places import split

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


def gradient(run: Capture, what: Measure) -> float:
    of = at_hand(what)
    return float(back_of(run, what).of(of)[of.slices])


def gradient_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return tuple(backward(back_of(run, what), at_hand(what)))


def long(run: Capture, what: Measure) -> float:
    of = at_hand(what)
    return float(np.linalg.norm(back_of(run, what).of(of)[of.slices]))


def long_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return length_of(back_of(run, what).slope(at_hand(what)))


def length_of(slopes: Vector) -> tuple[Step, ...]:
    squares = summed("row_squares", slopes, slopes)
    return squares, Step("back_length", math.sqrt(squares.value), {"sum": squares.value})


def through_door(what: Measure) -> bool:
    """Of a model that writes: the table is used at both ends."""
    return isinstance(what.of[0], Weight) and what.of[0].name == TABLE


def by_door(run: Capture, what: Measure) -> np.ndarray:
    """What comes to a number, a row or all of the table through one door. Raises InputError where there is no such
    door."""
    back, tap = back_of(run, what), DOORS[door_of(what)]
    if tap not in back.flow.dims or not back.run.target_in:
        raise InputError("not_a_cell", text=str(what)[:80])
    return all_through(back, tap)[at_hand(what).slices]


def one_by_door(run: Capture, what: Measure) -> float:
    return float(by_door(run, what))


def one_by_door_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return tuple(door(back_of(run, what), at_hand(what), DOORS[door_of(what)]))  # type: ignore[arg-type]


def long_by_door(run: Capture, what: Measure) -> float:
    return float(np.linalg.norm(by_door(run, what)))


def long_by_door_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of,), kind, values = what.of, f"{NAME}_{door_of(what)}", by_door(run, what).astype(np.float64)
    places = np.argwhere(np.ones(values.shape, bool))
    return length_of(Named(values, source=lambda i: Measure(kind, (of.at(*map(int, places[i])),))))


# ---- by a row that was fetched several times: the sum of the gradients by each


def each(what: Measure, open: str = "") -> list[Measure]:
    """The gradients that are added up. Raises InputError where one is no gradient of a row or of a number."""
    kind, size = f"{NAME}{open}{TOWARD * what.kind.endswith(TOWARD)}", 1 + what.kind.endswith(TOWARD)
    if set(what.groups) != {size}:
        raise InputError("not_a_cell", text=str(what)[:80])
    return [Measure(kind, tuple(group)) for group in what.grouped(what.of)]


def added(run: Capture, what: Measure) -> float:
    return math.fsum(gradient(run, one) for one in each(what))


def added_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    parts = each(what)
    numbers = np.array([gradient(run, one) for one in parts], np.float64)
    return mean_steps("gradients_sum", Named(numbers, source=lambda i: parts[i]))[:1]


def summed_rows(run: Capture, what: Measure) -> Named:
    rows = [back_of(run, one).of(at_hand(one))[at_hand(one).slices].astype(np.float64) for one in each(what, "_row")]
    if len({row.shape for row in rows}) != 1:
        raise InputError("not_a_cell", text=str(what)[:80])
    kind = what.kind.replace("rows", "added")

    def source(i: int) -> Measure:
        firsts = [of.at(i) if at % (len(what.of) // len(rows)) == 0 else of for at, of in enumerate(what.of)]
        return Measure(kind, tuple(firsts), what.groups)

    return Named(np.sum(rows, axis=0), source=source)


def rows_long(run: Capture, what: Measure) -> float:
    return float(np.linalg.norm(summed_rows(run, what).values))


def rows_long_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return length_of(summed_rows(run, what))


def of_door(name: str) -> dict[str, Kind]:
    """What comes to the table through one of its doors: to a number, a row, or all."""
    return {
        f"{NAME}_{name}": Kind((0,), one_by_door, one_by_door_steps, through_door, terms="made"),
        f"{NAME}_{name}_row": Kind((1,), long_by_door, long_by_door_steps, through_door, terms="made"),
        f"{NAME}_{name}_all": Kind((2,), long_by_door, long_by_door_steps, through_door, terms="made"),
    }


def kinds(name: str, open: int, value: Callable, steps: Callable, grouped: bool = False) -> dict[str, Kind]:
    """A kind for either loss."""
    terms = "each" if grouped and not open else "dim" if grouped else "made"
    return {
        name: Kind((open,), value, steps, passed, terms=terms, grouped=grouped),
        f"{name}{TOWARD}": Kind((open, 2), value, steps, passed, terms=terms, grouped=grouped),
    }


KINDS = {
    **kinds("gradient", 0, gradient, gradient_steps),
    **kinds("gradient_row", 1, long, long_steps),
    **kinds("gradient_all", 2, long, long_steps),
    **{name: kind for each in DOORS for name, kind in of_door(each).items()},
    **kinds("gradient_added", 0, added, added_steps, grouped=True),
    **kinds("gradient_rows", 1, rows_long, rows_long_steps, grouped=True),
}
