"""Of all numbers of a learned table: how long its rows are in the mean, how far its numbers spread, and the largest.

A table may have tens of thousands of rows: nothing here holds all of them in float64 at once.
"""

import math
from collections.abc import Iterator

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.many import mean_steps
from core.derivation.origins import Measure, Weight
from core.derivation.steps import Named, Step, with_terms

BLOCK = 2048  # rows


def a_table(what: Measure) -> bool:
    return all(isinstance(of, Weight) and of.name.endswith("table.weight") for of in what.of)


def blocks(run: Capture, what: Measure) -> Iterator[np.ndarray]:
    """[row, d] in float64, one stretch of rows after the other."""
    table = read(run, what.of[0])
    for first in range(0, len(table), BLOCK):
        yield table[first : first + BLOCK].astype(np.float64)


def of_each(run: Capture, what: Measure, kind: str) -> Named:
    """[row] its length or its mean: each is a measure, too."""
    made = {"length": lambda rows: np.linalg.norm(rows, axis=1), "row_mean": lambda rows: rows.mean(1)}[kind]
    name = what.of[0].name
    each = np.concatenate([made(rows) for rows in blocks(run, what)])
    return Named(each, source=lambda row: Measure(kind, (Weight(name, (row, None)),)))


def row_mean(run: Capture, what: Measure) -> float:
    return float(read(run, what.of[0]).mean())


def row_mean_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of = what.of[0]
    return mean_steps("all_sum", Named(read(run, of).astype(np.float64), source=of.at))


def table_length(run: Capture, what: Measure) -> float:
    return float(of_each(run, what, "length").values.mean())


def table_length_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("row_lengths", of_each(run, what, "length"))


def table_width(run: Capture, what: Measure) -> float:
    """The standard deviation of all its numbers."""
    size = read(run, what.of[0]).size
    mean = sum(float(rows.sum()) for rows in blocks(run, what)) / size
    return math.sqrt(sum(float(((rows - mean) ** 2).sum()) for rows in blocks(run, what)) / size)


def table_width_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The mean of the squares less the square of the mean; all squares of a row make the square of its length."""
    means = mean_steps("row_means", of_each(run, what, "row_mean"))
    lengths = of_each(run, what, "length")
    squares, size = lengths.values**2, read(run, what.of[0]).size
    added = with_terms(Step("row_all_squares", float(squares.sum())), squares, lengths, lengths)
    facts = {"sum": added.value, "n": f"{size:,}", "mean": means[-1].value}
    variance = Step("table_variance", added.value / size - means[-1].value ** 2, facts)
    return *means, added, variance, Step("deviation", math.sqrt(variance.value), {"variance": variance.value})


def largest(run: Capture, what: Measure) -> float:
    """The number that is farthest from 0, without its sign."""
    return max(float(np.abs(rows).max()) for rows in blocks(run, what))


def largest_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    table, tops = read(run, what.of[0]), [np.abs(rows).max(1) for rows in blocks(run, what)]
    row = int(np.concatenate(tops).argmax())
    column = int(np.abs(table[row]).argmax())
    x = float(table[row, column])
    facts = {"x": x, "n": f"{table.size:,}"}
    return (Step("table_largest", abs(x), facts, of={"x": Weight(what.of[0].name, (row, column))}),)


KINDS = {
    "row_mean": Kind((1,), row_mean, row_mean_steps, a_table),
    "table_length": Kind((2,), table_length, table_length_steps, a_table, terms="each"),
    "table_width": Kind((2,), table_width, table_width_steps, a_table, terms="each"),
    "largest": Kind((2,), largest, largest_steps, a_table),
}
