"""Of each token, and in the mean over the tokens: a standard deviation, a length beside another, and a cosine."""

import numpy as np

from ...capture import Capture
from ...views.vectors import cosine
from ..operators import deviation, length, mean, number, share
from ..origins import Measure
from ..steps import Named
from .aggregates import a_variance, each_row, whole
from .kind import Kind, Steps, cells, of_one_shape, of_rows, read, vectors


def deviations(run: Capture, what: Measure) -> Steps:
    """The mean of the roots of variances."""
    (of,) = what.of
    return mean("deviations", Named(np.sqrt(read(run, of)), source=lambda i: Measure("deviation", (of.at(i),))))


def widths(run: Capture, what: Measure) -> Steps:
    """The standard deviation of the numbers of a row, in the mean over the rows."""
    return mean("deviations", each_row("width", read(run, what.of[0]).std(-1), *what.of))


def besides(run: Capture, what: Measure) -> Steps:
    """‖x‖ ÷ (‖x‖ + ‖y‖), in the mean over the rows."""
    x, y = (np.linalg.norm(rows.values, axis=-1) for rows in vectors(run, what))
    return mean("besides", each_row("beside", x / (x + y), *what.of))


def beside(run: Capture, what: Measure) -> Steps:
    x, y = (number(length(row), Measure("length", (of,))) for row, of in zip(vectors(run, what), what.of, strict=True))
    return (share("beside", one=x, other=y),)


def agree(run: Capture, what: Measure) -> Steps:
    """The cosine of each row of one with the same row of the other, in the mean over the rows."""
    x, y = of_one_shape(run, what)
    return mean("cosines", each_row("cosine", cosine(x.values, y.values), *what.of))


KINDS = {
    "deviations": Kind((1,), deviations, a_variance, terms="rows"),
    "width": Kind((1,), of_rows(lambda row: deviation("all_sum", row)), cells),
    "widths": Kind((2,), widths, whole, terms="rows"),
    "beside": Kind((1, 1), beside, cells),
    "agree": Kind((2, 2), agree, whole, terms="rows"),
    "besides": Kind((2, 2), besides, whole, terms="rows"),
}
