"""How much of all squared lengths belongs to what: to one row, to all rows but one, to what all rows share."""

import math

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, cells, read, vectors
from core.derivation.measures.many import middle, whole
from core.derivation.origins import Measure, Origin
from core.derivation.steps import Named, Step, Vector, summed
from core.errors import InputError


def squares(x: Vector) -> Step:
    return summed("all_squares", x, x)


def parted(one: Step, other: Step) -> Step:
    """The share of the first in both."""
    both = one.value + other.value
    return Step("energy", one.value / both if both else math.nan, {"one": one.value, "other": other.value})


def energy_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    one, other = map(squares, vectors(run, what))
    return one, other, parted(one, other)


def left_out(run: Capture, what: Measure) -> int:
    """Which row does not count. Raises InputError where there is none such."""
    one, other, out = what.of
    if out.name != one.name or len(read(run, one)) != len(read(run, other)):
        raise InputError("not_a_cell", text=str(what)[:80])
    return int(out.index[0] or 0)


def without(run: Capture, of: Origin, place: int) -> Named:
    """All rows of a tap but one."""
    rows = np.delete(read(run, of).astype(np.float64), place, axis=0)

    def source(i: int) -> Origin:
        row, column = divmod(i, rows.shape[1])
        return of.at(row + (row >= place), column)

    return Named(rows, source=source)


def energy_but_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The share of the first in both, one token left out of either."""
    place = left_out(run, what)
    first, second = (squares(without(run, of, place)) for of in what.of[:2])
    return first, second, parted(first, second)


def portion_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The share of one row in all of a tap."""
    own, all_of = map(squares, vectors(run, what))
    ratio = own.value / all_of.value if all_of.value else math.nan
    return own, all_of, Step("portion", ratio, {"own": own.value, "all": all_of.value})


def common_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The share of the mean that all rows have in them."""
    (rows,) = vectors(run, what)
    mean, all_of, n = squares(middle(run, what.of[0])), squares(rows), len(rows.values)
    ratio = n * mean.value / all_of.value if all_of.value else math.nan
    return mean, all_of, Step("common", ratio, {"n": str(n), "mean": mean.value, "all": all_of.value})


def bare_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The share of the first in both, without the mean that all its rows have in them."""
    one, other = map(squares, vectors(run, what))
    shared = Measure("common", what.of[:1])
    share = common(run, shared) if one.value else 0.0
    of = {"common": shared} if one.value else {}
    left = Step("bare", one.value * (1 - share), {"whole": one.value, "common": share}, of=of)
    return one, left, other, parted(left, other)


def square(run: Capture, of: Origin) -> np.ndarray:
    return read(run, of).astype(np.float64) ** 2


def of_both(one: float, other: float) -> float:
    return one / (one + other) if one + other else math.nan


def energy(run: Capture, what: Measure) -> float:
    """The share of the first in the squared lengths of both."""
    one, other = (float(square(run, of).sum()) for of in what.of)
    return of_both(one, other)


def energy_but(run: Capture, what: Measure) -> float:
    place = left_out(run, what)
    one, other = (float(np.delete(square(run, of), place, axis=0).sum()) for of in what.of[:2])
    return of_both(one, other)


def portion(run: Capture, what: Measure) -> float:
    own, whole = (float(square(run, of).sum()) for of in what.of)
    return own / whole if whole else math.nan


def common(run: Capture, what: Measure) -> float:
    """n‖m‖² ÷ Σ‖x‖², where m is the mean of the rows."""
    rows = read(run, what.of[0]).astype(np.float64)
    whole = float((rows**2).sum())
    return float(len(rows) * (rows.mean(0) ** 2).sum()) / whole if whole else math.nan


def bare(run: Capture, what: Measure) -> float:
    one, other = (float(square(run, of).sum()) for of in what.of)
    return of_both(one * (1 - common(run, what)) if one else 0.0, other)


KINDS = {
    "energy": Kind((2, 2), energy, energy_steps, cells, terms="number"),
    "energy_but": Kind((2, 2, 1), energy_but, energy_but_steps, cells, terms="number"),
    "portion": Kind((1, 2), portion, portion_steps, cells, terms="number"),
    "common": Kind((2,), common, common_steps, whole, terms="number"),
    "bare": Kind((2, 2), bare, bare_steps, whole, terms="number"),
}
