"""Of one row, or of two: how long it is, beside another, how alike they are, and how far apart; of a sum of rows."""

import math

import numpy as np

from ...capture import Capture
from ..operators import cosine, distance, largest_gap, length, median, number, over, part, ratio, squares, summed
from ..origins import Cell, Measure
from ..steps import Named, Vector, stepped
from .kind import Kind, Steps, cells, of_rows, refused, vectors


def direct(what: Measure) -> bool:
    """Rows of a tap or of a table have a length and a direction, and so has a bias; those of a matrix are no rows of
    anything."""
    return all(isinstance(of, Cell) or of.name.endswith(("table.weight", ".bias")) for of in what.of)


def lengths_ratio(x: Vector, y: Vector) -> Steps:
    """‖x‖ ÷ ‖y‖, where x is what was added to y: ‖Δ‖ ÷ ‖x‖ on the pages."""
    sums = summed("added_squares", x, x), squares(y)
    one, other = (math.sqrt(step.value) for step in sums)
    return *sums, stepped("row_ratio", over(one, other), one=one, other=other, added=sums[0].value, row=sums[1].value)


def minus(a: Vector, b: Vector) -> Steps:
    """a − b, of two numbers."""
    return (stepped("minus", float(a) - float(b), a=a, b=b),)


def plus_minus(a: Vector, minus: Vector, plus: Vector) -> Steps:
    """a − b + c, of three numbers."""
    return (stepped("plus_minus", float(a) - float(minus) + float(plus), a=a, minus=minus, plus=plus),)


def sum_alike(a: Vector, minus: Vector, plus: Vector, row: Vector) -> Steps:
    """The cosine of a − b + c, three rows, with a fourth."""

    def source(i: int) -> Measure:
        return Measure("plus_minus", tuple(each.of.at(i) for each in (a, minus, plus) if each.of))

    return cosine(Named(a.values - minus.values + plus.values, source=source), row, "sum_products")


def both(run: Capture, what: Measure) -> tuple[Vector, Vector]:
    """Two rows; of two taps the rows that both have: one may be padded. Raises InputError where they do not compare."""
    x, y = vectors(run, what)
    if x.values.shape[1:] != y.values.shape[1:] or (x.values.ndim == 1 and len(x) != len(y)):
        raise refused(what)
    rows = min(len(x.values), len(y.values))
    return Vector(x.values[:rows], x.of), Vector(y.values[:rows], y.of)


def apart(run: Capture, what: Measure) -> Steps:
    """The largest difference of two numbers that stand in the same place."""
    return (largest_gap("gap_largest", *both(run, what)),)


def apart_captured(run: Capture, what: Measure) -> float:
    """The same as float32 has it: of numbers that are nearly the same, what lies between them is rounded."""
    x, y = (each.values.astype(np.float32) for each in both(run, what))
    return float(np.abs(x - y).max())


def aside(run: Capture, what: Measure) -> Steps:
    """How far the second is from the first, in lengths of the first."""
    x, y = both(run, what)
    gap, own = Measure("distance", what.of), Measure("length", what.of[:1])
    return (ratio("row_aside", gap=number(distance(x, y), gap), own=number(length(x), own)),)


KINDS = {
    "length": Kind((1,), of_rows(length), direct),
    "cosine": Kind((1, 1), of_rows(cosine), direct),
    "ratio": Kind((1, 1), of_rows(lengths_ratio), direct),
    "part": Kind((1, 1), of_rows(part), direct),
    "minus": Kind((0, 0), of_rows(minus), direct),
    "plus_minus": Kind((0, 0, 0), of_rows(plus_minus), direct),
    "sum_alike": Kind((1, 1, 1, 1), of_rows(sum_alike), direct),
    "distance": Kind((1, 1), lambda run, what: distance(*both(run, what)), direct),
    "aside": Kind((1, 1), aside, direct),
    "apart": Kind((1, 1), apart, direct, held=apart_captured),
    "median": Kind((1,), of_rows(lambda row: (median(row),))),
    "far": Kind((2, 2), apart, cells, terms="number", held=apart_captured),
}
