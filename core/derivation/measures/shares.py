"""How much of all squared lengths belongs to what: to one row, to all rows but one, to what all rows share."""

import numpy as np

from ...capture import Capture
from ..operators import number, over, ratio, share, squares
from ..origins import Measure, Origin
from ..steps import Named, Step, Vector, stepped
from .aggregates import middle, whole
from .kind import Kind, Steps, cells, of_rows, refused, vectors


def parted(one: Vector, other: Vector) -> Steps:
    """The share of the first in the squared lengths of both."""
    first, second = (squares(rows) for rows in (one, other))
    return first, second, share("energy", one=first.value, other=second.value)


def without(rows: Vector, place: int) -> Named:
    """All rows of a tap but one."""

    def source(i: int) -> Origin:
        row, column = divmod(i, rows.values.shape[1])
        assert rows.of is not None
        return rows.of.at(row + (row >= place), column)

    return Named(np.delete(rows.values, place, axis=0), source=source)


def energy_but(run: Capture, what: Measure) -> Steps:
    """The same, one token left out of either. Raises InputError where there is none such."""
    (one, other, _), (first, _, out) = vectors(run, what), what.of
    if out.name != first.name or len(one.values) != len(other.values):
        raise refused(what)
    place = int(out.index[0] or 0)
    return parted(without(one, place), without(other, place))


def portion(row: Vector, rows: Vector) -> Steps:
    """The share of one row in all of a tap."""
    own, all_of = (squares(x) for x in (row, rows))
    return own, all_of, ratio("portion", own=own.value, all=all_of.value)


def common(run: Capture, what: Measure) -> Steps:
    """n‖m‖² ÷ Σ‖x‖²: the share of the mean m that all n rows have in them."""
    rows = vectors(run, what)[0]
    mean, all_of, n = squares(middle(run, what.of[0])), squares(rows), len(rows.values)
    parts = {"n": str(n), "mean": mean.value, "all": all_of.value}
    return mean, all_of, Step("common", over(n * mean.value, all_of.value), parts)


def bare(run: Capture, what: Measure) -> Steps:
    """The share of the first in both, without the mean that all its rows have in them."""
    one, other = (squares(rows) for rows in vectors(run, what))
    shared = Measure("common", what.of[:1])
    part = number(common(run, shared), shared) if one.value else 0.0
    left = stepped("bare", one.value * (1 - float(part)), whole=one.value, common=part)
    return one, left, other, share("energy", one=left.value, other=other.value)


KINDS = {
    "energy": Kind((2, 2), of_rows(parted), cells, terms="number"),
    "energy_but": Kind((2, 2, 1), energy_but, cells, terms="number"),
    "portion": Kind((1, 2), of_rows(portion), cells, terms="number"),
    "common": Kind((2,), common, whole, terms="number"),
    "bare": Kind((2, 2), bare, whole, terms="number"),
}
