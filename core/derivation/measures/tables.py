"""Of all numbers of a learned table: how long its rows are in the mean, how far its numbers spread, and the largest.

A table may have tens of thousands of rows: nothing here holds all of them in float64 at once.
"""

from collections.abc import Callable

import numpy as np

from ...capture import Capture
from ..operators import mean, root, total
from ..origins import Measure, Weight
from ..reading import array
from ..steps import Named, Step
from .kind import Kind, Steps, of_rows

BLOCK = 2048  # rows


def a_table(what: Measure) -> bool:
    return all(isinstance(of, Weight) and of.name.endswith("table.weight") for of in what.of)


def of_each(table: np.ndarray, made: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """[row] what is made of each row of a table, in float64, one stretch of rows after the other."""
    blocks = (table[first : first + BLOCK] for first in range(0, len(table), BLOCK))
    return np.concatenate([made(rows.astype(np.float64)) for rows in blocks])


def measured(run: Capture, what: Measure, kind: str) -> Named:
    """[row] its length or its mean: each is a measure, too."""
    made = {"length": lambda rows: np.linalg.norm(rows, axis=1), "row_mean": lambda rows: rows.mean(1)}[kind]
    (of,) = what.of
    return Named(of_each(array(run, of), made), source=lambda row: Measure(kind, (Weight(of.name, (row, None)),)))


def table_length(run: Capture, what: Measure) -> Steps:
    return mean("row_lengths", measured(run, what, "length"))


def table_width(run: Capture, what: Measure) -> Steps:
    """The standard deviation of all its numbers: the root of the mean of the squares less the square of the mean. All
    squares of a row make the square of its length."""
    means = mean("row_means", measured(run, what, "row_mean"))
    lengths, size, middle = measured(run, what, "length"), array(run, what.of[0]).size, means[-1].value
    added = total("row_all_squares", lengths, terms=lengths.values**2)
    facts = {"sum": added.value, "n": f"{size:,}", "mean": middle}
    variance = Step("table_variance", added.value / size - middle**2, facts)
    return *means, added, variance, root("deviation", variance, "variance")


def largest(run: Capture, what: Measure) -> Steps:
    """The number that is farthest from 0, without its sign."""
    (of,), table = what.of, array(run, what.of[0])
    row = int(of_each(table, lambda rows: np.abs(rows).max(1)).argmax())
    column = int(np.abs(table[row]).argmax())
    x = float(table[row, column])
    return (Step("table_largest", abs(x), {"x": x, "n": f"{table.size:,}"}, of={"x": Weight(of.name, (row, column))}),)


KINDS = {
    "row_mean": Kind((1,), of_rows(lambda row: mean("all_sum", row)), a_table),
    "table_length": Kind((2,), table_length, a_table, terms="each"),
    "table_width": Kind((2,), table_width, a_table, terms="each"),
    "largest": Kind((2,), largest, a_table),
}
