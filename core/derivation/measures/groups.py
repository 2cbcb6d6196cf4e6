"""Of rows in groups, each of any run: how alike two of one group are in the mean, and two of different ones; and how
alike the means of two groups are, as where a word is several pieces."""

from itertools import combinations

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.many import mean_steps
from core.derivation.measures.rows import cosine_steps
from core.derivation.origins import Measure, Origin
from core.derivation.steps import Named, Step
from core.errors import InputError
from core.views.vectors import cosine, cosines


def rows_of(run: Capture, what: Measure) -> np.ndarray:
    """[row, d]; raises InputError where they are of different widths."""
    rows = [read(run, of) for of in what.of]
    if len({row.shape for row in rows}) != 1:
        raise InputError("not_a_cell", text=str(what)[:80])
    return np.stack(rows)


# ---- every two of one group, or of different ones


def pairs(what: Measure, same: bool) -> np.ndarray:
    """[pair, 2]; raises InputError where there are none."""
    group = np.repeat(np.arange(len(what.groups)), what.groups)
    found = [(i, j) for i, j in combinations(range(len(group)), 2) if (group[i] == group[j]) == same]
    if not found:
        raise InputError("not_a_cell", text=str(what)[:80])
    return np.array(found)


def among(run: Capture, what: Measure) -> float:
    found = pairs(what, what.kind == "among")
    return float(cosines(rows_of(run, what))[tuple(found.T)].mean())


def among_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    found = pairs(what, what.kind == "among")
    each = cosines(rows_of(run, what).astype(np.float64))[tuple(found.T)]
    source = lambda i: Measure("cosine", tuple(what.of[k] for k in found[i]))  # noqa: E731
    return mean_steps("group_cosines", Named(each, source=source))


def both(what: Measure) -> dict[str, Measure]:
    return {kind: Measure(kind, what.of, what.groups) for kind in ("among", "between")}


def parting(run: Capture, what: Measure) -> float:
    """How much more alike two of one group are than two of different ones."""
    same, other = (among(run, each) for each in both(what).values())
    return same - other


def parting_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    found = {kind: among_steps(run, each)[-1].value for kind, each in both(what).items()}
    return (Step("parting", found["among"] - found["between"], found, of=both(what)),)


# ---- the means of two groups


def average(run: Capture, what: Measure) -> float:
    """Of single numbers."""
    return float(np.mean([read(run, of) for of in what.of]))


def average_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    numbers = np.array([read(run, of) for of in what.of], np.float64)
    return mean_steps("all_sum", Named(numbers, source=lambda i: what.of[i]))


def pooled(run: Capture, what: Measure) -> float:
    """The cosine of two means."""
    rows, (first, _) = rows_of(run, what), two(what)
    return float(cosine(rows[:first].mean(0), rows[first:].mean(0)))


def two(what: Measure) -> tuple[int, ...]:
    """How many rows are in either; raises InputError where there are not two."""
    if len(what.groups) != 2:
        raise InputError("not_a_cell", text=str(what)[:80])
    return what.groups


def pooled_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    rows, (first, _) = rows_of(run, what).astype(np.float64), two(what)
    halves = ((rows[:first], what.of[:first]), (rows[first:], what.of[first:]))
    return cosine_steps(*(middle(numbers, of) for numbers, of in halves), products="pooled_products")


def middle(rows: np.ndarray, of: tuple[Origin, ...]) -> Named:
    """Each number of a mean is a measure, too; the mean of one row is that row."""

    def source(i: int) -> Measure | Origin:
        numbers = tuple(row.at(i) for row in of)
        return numbers[0] if len(of) == 1 else Measure("average", numbers, (len(of),))

    return Named(rows.mean(0), source=source)


KINDS = {
    "among": Kind((1,), among, among_steps, grouped=True, terms="texts"),
    "between": Kind((1,), among, among_steps, grouped=True, terms="texts"),
    "parting": Kind((1,), parting, parting_steps, grouped=True),
    "pooled": Kind((1,), pooled, pooled_steps, grouped=True),
    "average": Kind((0,), average, average_steps, grouped=True, terms="each"),
}
