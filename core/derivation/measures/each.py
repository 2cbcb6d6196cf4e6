"""Of each token, and in the mean over the tokens: a standard deviation, a length beside another, and a cosine."""

import math
from dataclasses import replace

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, cells, read, vectors
from core.derivation.measures.many import a_variance, long, mean_steps, row, variance_steps, whole
from core.derivation.origins import Measure
from core.derivation.steps import Named, Step
from core.errors import InputError
from core.views.vectors import cosine


def deviations(run: Capture, what: Measure) -> float:
    """The mean of the roots of variances."""
    return float(np.sqrt(read(run, what.of[0])).mean())


def deviations_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of = what.of[0]
    roots = np.sqrt(read(run, of).astype(np.float64))
    return mean_steps("deviations", Named(roots, source=lambda i: Measure("deviation", (of.at(i),))))


def width(run: Capture, what: Measure) -> float:
    """The standard deviation of the numbers of a row."""
    return float(read(run, what.of[0]).astype(np.float64).std())


def width_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    steps = variance_steps(run, what)
    found = steps[-1].value
    return *steps, Step("deviation", math.sqrt(found), {"variance": found})


def widths(run: Capture, what: Measure) -> float:
    return float(read(run, what.of[0]).std(-1).mean())


def widths_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of = what.of[0]
    each = read(run, of).astype(np.float64).std(-1)
    return mean_steps("deviations", Named(each, source=lambda i: Measure("width", (row(of, i),))))


def besides(run: Capture, what: Measure) -> float:
    """‖x‖ ÷ (‖x‖ + ‖y‖), in the mean over the rows."""
    x, y = (np.linalg.norm(read(run, of), axis=-1) for of in what.of)
    return float((x / (x + y)).mean())


def besides_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = (np.linalg.norm(rows.values, axis=-1) for rows in vectors(run, what))
    each = Named(x / (x + y), source=lambda i: Measure("beside", tuple(row(of, i) for of in what.of)))
    return mean_steps("besides", each)


def beside_one(run: Capture, what: Measure) -> float:
    x, y = (float(np.linalg.norm(read(run, of))) for of in what.of)
    return x / (x + y) if x + y else math.nan


def beside_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = (float(np.linalg.norm(rows.values)) for rows in vectors(run, what))
    of = {"one": long(what.of[0]), "other": long(what.of[1])}
    return (Step("beside", x / (x + y) if x + y else math.nan, {"one": x, "other": y}, of=of),)


def agree(run: Capture, what: Measure) -> float:
    """The cosine of each row of one with the same row of the other, in the mean over the rows."""
    x, y = same_rows(run, what)
    return float(cosine(x, y).mean())


def same_rows(run: Capture, what: Measure) -> list[np.ndarray]:
    """Raises InputError where there are more of one than of the other."""
    x, y = (read(run, of) for of in what.of)
    if x.shape != y.shape:
        raise InputError("not_a_cell", text=str(what)[:80])
    return [x, y]


def agree_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    each = cosine(*(rows.astype(np.float64) for rows in same_rows(run, what)))
    source = lambda i: Measure("cosine", tuple(replace(of, index=(i, None)) for of in what.of))  # noqa: E731
    return mean_steps("cosines", Named(each, source=source))


KINDS = {
    "deviations": Kind((1,), deviations, deviations_steps, a_variance, terms="rows"),
    "width": Kind((1,), width, width_steps, cells),
    "widths": Kind((2,), widths, widths_steps, whole, terms="rows"),
    "beside": Kind((1, 1), beside_one, beside_steps, cells),
    "agree": Kind((2, 2), agree, agree_steps, whole, terms="rows"),
    "besides": Kind((2, 2), besides, besides_steps, whole, terms="rows"),
}
