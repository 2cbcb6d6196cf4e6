"""Of many numbers or rows: their mean, how far they lie from it, and how long or alike rows are in the mean."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...capture import Capture
from ...model.places import split
from ...text.token import Token
from ...views.overview import other_pairs
from ...views.vectors import cosine as cosine_of
from ...views.vectors import cosines
from ..operators import cosine, deviation, divided, gaps, mean, number, variance
from ..origins import Cell, Measure, Origin
from ..reading import array
from ..steps import Named, Vector, stepped
from .kind import Kind, Steps, cells, of_one_shape, of_rows, read, refused, vectors


def whole(what: Measure) -> bool:
    """All rows of a tap."""
    return all(isinstance(of, Cell) and len(of.index) == 2 for of in what.of)


def a_variance(what: Measure) -> bool:
    """Only a variance has a standard deviation."""
    return split(what.of[0].name)[1] == "variance"


def root_of(found: Vector) -> Steps:
    """The root of a variance that passed a tap."""
    return (stepped("deviation", math.sqrt(float(found)), variance=found),)


def row(of: Origin, i: int) -> Origin:
    """One row of a whole tap."""
    return replace(of, index=(int(i), None))


def each_row(kind: str, values: np.ndarray, *of: Origin) -> Named:
    """[row] what was measured of each row of a tap, or of the same row of each."""
    return Named(values, source=lambda i: Measure(kind, tuple(row(one, i) for one in of)))


def each_pair(values: np.ndarray, pairs: np.ndarray, *of: Origin) -> Named:
    """[pair] the cosines of rows, of one tap or of one row of each of two; pairs [pair, 2]."""
    two = of * 2 if len(of) == 1 else of
    return Named(values, source=lambda i: Measure("cosine", tuple(map(row, two, pairs[i]))))


def lengths(run: Capture, what: Measure) -> Steps:
    (rows,) = vectors(run, what)
    return mean("lengths", each_row("length", np.linalg.norm(rows.values, axis=-1), *what.of))


def pairs(run: Capture, what: Measure) -> np.ndarray:
    """[pair, 2] the tokens of a tap whose rows are compared: every two, or of other words than the two that are named.
    Raises InputError where there are none."""
    tap = what.of[0]
    if what.kind == "others":
        a, b = (int(of.index[0] or 0) for of in what.of)
        found = other_pairs(side_of(run, tap), a, b)
    else:
        found = np.argwhere(np.triu(np.ones((len(array(run, tap)),) * 2), 1))
    if not len(found) or any(of.name != tap.name for of in what.of):
        raise refused(what)
    return found


def alike(run: Capture, what: Measure) -> Steps:
    tap, found = what.of[0], pairs(run, what)
    each = cosines(array(run, tap).astype(np.float64))[tuple(found.T)]
    return mean("cosines", each_pair(each, found, tap))


def unlike(run: Capture, what: Measure) -> Named:
    """[pair] the cosines of unlike tokens, one of each of two sentences. Raises InputError where there are none."""
    one, other = ([token if not token.special else None for token in side_of(run, of)] for of in what.of)
    found = np.argwhere([[bool(a and b and a.id != b.id) for b in other] for a in one])
    if not len(found) or what.of[0].name != what.of[1].name:
        raise refused(what)
    x, y = (read(run, of)[at] for of, at in zip(what.of, found.T, strict=True))
    return each_pair(cosine_of(x, y), found, *what.of)


def of_unlike(steps: Callable[[str, Vector], Steps]) -> Callable[[Capture, Measure], Steps]:
    return lambda run, what: steps("cosines", unlike(run, what))


def side_of(run: Capture, of: Origin) -> Sequence[Token]:
    """The tokens whose rows stand there."""
    there = run if of.given is None else run.beside(of.given, (of.name,))
    assert there.by is not None
    return there.side(of.name, there.by.tap_dims[of.name][0])


def centre(run: Capture, what: Measure) -> Steps:
    """One number of the mean of all rows of a tap; which one, the index says last."""
    column = replace(what.of[0], index=(None, what.of[0].index[-1]))
    return mean("all_sum", Named(read(run, column), source=column.at))


def middle(run: Capture, of: Origin) -> Named:
    """The mean of all rows of a tap: each number of it is a measure, too."""
    return Named(read(run, of).mean(0), source=lambda i: Measure("centre", (replace(of, index=(0, i)),)))


def middles(run: Capture, what: Measure) -> Steps:
    """How alike the means of two taps are."""
    x, y = (middle(run, of) for of in what.of)
    return cosine(x, y, "mean_products")


def unlike_means(run: Capture, what: Measure) -> Steps:
    """What a comparison is trained to make smaller: 1 − their cosine."""
    found = number(middles(run, what), Measure("middles", what.of))
    return (stepped("unlike_means", 1 - float(found), cosine=found),)


def shift(run: Capture, what: Measure) -> Steps:
    """How far the numbers of one run lie from those of the other, in the mean: |x − y|."""
    x, y = of_one_shape(run, what)
    added = gaps("gap_sum", x, y)
    return added, divided("mean_of", added, n=len(x))


KINDS = {
    "mean": Kind((2,), of_rows(lambda x: mean("all_sum", x)), cells, terms="number"),
    "variance": Kind((2,), of_rows(lambda x: variance("all_sum", x)), cells, terms="number"),
    "deviation": Kind((0,), of_rows(root_of), a_variance),
    "shift": Kind((3, 3), shift, cells, terms="number"),
    "lengths": Kind((2,), lengths, whole, terms="rows"),
    "centre": Kind((0,), centre, whole, terms="number"),
    "middles": Kind((2, 2), middles, whole),
    "unlike_means": Kind((2, 2), unlike_means, whole),
    "alike": Kind((2,), alike, whole, terms="rows"),
    "unlike": Kind((2, 2), of_unlike(mean), whole, terms="rows"),
    "spread": Kind((2, 2), of_unlike(deviation), whole, terms="rows"),
    "others": Kind((1, 1), alike, whole, terms="rows"),
}
