"""Of rows in groups, each of any run: how alike two of one group are in the mean, and two of different ones; and how
alike the means of two groups are, as where a word is several pieces."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ...capture import Capture
from ...views.vectors import cosines
from ..operators import cosine, mean, number
from ..origins import Measure, Origin
from ..steps import Named, Vector, stepped
from .kind import Kind, Steps, of_one_shape, read, refused

# ---- every two of one group, or of different ones


def pairs(what: Measure, same: bool) -> np.ndarray:
    """[pair, 2]; raises InputError where there are none."""
    group = np.repeat(np.arange(len(what.groups)), what.groups)
    found = [(i, j) for i, j in combinations(range(len(group)), 2) if (group[i] == group[j]) == same]
    if not found:
        raise refused(what)
    return np.array(found)


def among(run: Capture, what: Measure) -> Steps:
    found, rows = pairs(what, what.kind == "among"), np.stack([row.values for row in of_one_shape(run, what)])
    each = cosines(rows)[tuple(found.T)]
    source = lambda i: Measure("cosine", tuple(what.of[k] for k in found[i]))  # noqa: E731
    return mean("group_cosines", Named(each, source=source))


def parting(run: Capture, what: Measure) -> Steps:
    """How much more alike two of one group are than two of different ones."""
    both = (Measure(kind, what.of, what.groups) for kind in ("among", "between"))
    same, other = (number(among(run, each), each) for each in both)
    return (stepped("parting", float(same) - float(other), among=same, between=other),)


# ---- the means of two groups


def average(run: Capture, what: Measure) -> Steps:
    """Of single numbers."""
    numbers = np.array([read(run, of) for of in what.of])
    return mean("all_sum", Named(numbers, source=lambda i: what.of[i]))


def pooled(run: Capture, what: Measure) -> Steps:
    """The cosine of two means. Raises InputError where there are not two."""
    if len(what.groups) != 2:
        raise refused(what)
    x, y = map(middle, what.grouped(of_one_shape(run, what)))
    return cosine(x, y, "pooled_products")


def middle(rows: Sequence[Vector]) -> Named:
    """Each number of a mean is a measure, too; the mean of one row is that row."""

    def source(i: int) -> Measure | Origin:
        numbers = tuple(row.of.at(i) for row in rows if row.of)
        return numbers[0] if len(rows) == 1 else Measure("average", numbers, (len(rows),))

    return Named(np.mean([row.values for row in rows], 0), source=source)


KINDS = {
    "among": Kind((1,), among, grouped=True, terms="texts"),
    "between": Kind((1,), among, grouped=True, terms="texts"),
    "parting": Kind((1,), parting, grouped=True),
    "pooled": Kind((1,), pooled, grouped=True),
    "average": Kind((0,), average, grouped=True, terms="each"),
}
