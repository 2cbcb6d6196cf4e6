"""Of many numbers or rows: their mean, how far they lie from it, and how long or alike rows are in the mean."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.measures.kind import Kind, cells, read, vectors
from core.derivation.measures.rows import cosine_steps
from core.derivation.origins import Cell, Measure, Origin
from core.derivation.steps import Named, Step, Vector, stepped, with_terms
from core.errors import InputError
from core.model.places import split
from core.text.token import Token
from core.views.overview import other_pairs
from core.views.vectors import cosine, cosines


def whole(what: Measure) -> bool:
    """All rows of a tap."""
    return all(isinstance(of, Cell) and len(of.index) == 2 for of in what.of)


def a_variance(what: Measure) -> bool:
    """Only a variance has a standard deviation."""
    return split(what.of[0].name)[1] == "variance"


def mean_steps(id: str, each: Vector) -> tuple[Step, Step]:
    """Numbers, or what was measured of each, added up, and divided by how many there are."""
    total = float(each.values.sum())
    added = with_terms(Step(id, total), each.flat, each, each)
    return added, Step("mean_of", total / len(each), {"sum": total, "n": f"{len(each):,}"})


def mean(run: Capture, what: Measure) -> float:
    return float(read(run, what.of[0]).mean())


def variance(run: Capture, what: Measure) -> float:
    return float(read(run, what.of[0]).astype(np.float64).var())


def variance_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return apart_from_mean("all_sum", *vectors(run, what))


def apart_from_mean(id: str, x: Vector) -> tuple[Step, ...]:
    """How far all these numbers lie from their mean: squared, and averaged."""
    added, middle = mean_steps(id, x)
    apart = (x.flat - middle.value) ** 2
    squares = Step("all_apart", float(apart.sum()), {"mean": middle.value})
    last = Step("mean_of", float(apart.mean()), {"sum": squares.value, "n": f"{x.values.size:,}"})
    return added, middle, with_terms(squares, apart, x, Vector(np.full(x.values.size, middle.value))), last


def deviation(run: Capture, what: Measure) -> float:
    """The root of a variance that passed a tap."""
    return math.sqrt(float(read(run, what.of[0])))


def deviation_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (found,) = vectors(run, what)
    return (stepped("deviation", math.sqrt(float(found)), variance=found),)


def lengths(run: Capture, what: Measure) -> float:
    return float(np.linalg.norm(read(run, what.of[0]), axis=-1).mean())


def lengths_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (rows,) = vectors(run, what)
    of = what.of[0]
    return mean_steps("lengths", Named(np.linalg.norm(rows.values, axis=-1), source=lambda i: long(row(of, i))))


def row(of: Origin, i: int) -> Origin:
    """One row of a whole tap."""
    return type(of)(of.name, (i, None))


def long(of: Origin) -> Measure:
    return Measure("length", (of,))


def pairs(run: Capture, what: Measure) -> tuple[Origin, np.ndarray]:
    """The tap, and [pair, 2] the tokens whose rows are compared: every two, or of other words than the two that are
    named. Raises InputError where there are none."""
    tap = what.of[0]
    if what.kind == "others":
        a, b = (int(of.index[0] or 0) for of in what.of)
        found = other_pairs(run.side(tap.name, tap_dims(run, tap)[0]), a, b)
    else:
        found = np.argwhere(np.triu(np.ones((len(array(run, tap)),) * 2), 1))
    if not len(found) or any(of.name != tap.name for of in what.of):
        raise InputError("not_a_cell", text=str(what)[:80])
    return tap, found


def tap_dims(run: Capture, tap: Origin) -> tuple[str, ...]:
    assert run.by is not None
    return run.by.tap_dims[tap.name]


def mean_alike(run: Capture, what: Measure) -> float:
    tap, found = pairs(run, what)
    return float(cosines(array(run, tap))[tuple(found.T)].mean())


def mean_alike_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    tap, found = pairs(run, what)
    each = cosines(array(run, tap).astype(np.float64))[tuple(found.T)]

    def source(i: int) -> Measure:
        one, other = (row(tap, int(token)) for token in found[i])
        return Measure("cosine", (one, other))

    return mean_steps("cosines", Named(each, source=source))


def unlike(run: Capture, what: Measure) -> tuple[np.ndarray, np.ndarray]:
    """[pair, 2] the unlike tokens, one of each of two sentences, and [pair] their cosines, in float64. Raises
    InputError where there are none."""
    one, other = ([token if not token.special else None for token in side_of(run, of)] for of in what.of)
    found = np.argwhere([[bool(a and b and a.id != b.id) for b in other] for a in one])
    if not len(found) or what.of[0].name != what.of[1].name:
        raise InputError("not_a_cell", text=str(what)[:80])
    x, y = (array(run, of).astype(np.float64)[at] for of, at in zip(what.of, found.T, strict=True))
    return found, cosine(x, y)


def side_of(run: Capture, of: Origin) -> Sequence[Token]:
    """The tokens whose rows stand there."""
    there = run if of.given is None else run.beside(of.given, (of.name,))
    return there.side(of.name, tap_dims(there, of)[0])


def each_unlike(run: Capture, what: Measure) -> Named:
    found, each = unlike(run, what)

    def source(i: int) -> Measure:
        return Measure(
            "cosine", tuple(replace(of, index=(int(k), None)) for of, k in zip(what.of, found[i], strict=True))
        )

    return Named(each, source=source)


def mean_unlike(run: Capture, what: Measure) -> float:
    return float(unlike(run, what)[1].mean())


def mean_unlike_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("cosines", each_unlike(run, what))


def spread(run: Capture, what: Measure) -> float:
    return float(unlike(run, what)[1].std())


def spread_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """How far the cosines lie from their mean."""
    each = each_unlike(run, what)
    before = apart_from_mean("cosines", each)
    return *before, Step("deviation", math.sqrt(before[-1].value), {"variance": before[-1].value})


def all_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return mean_steps("all_sum", *vectors(run, what))


def centre(run: Capture, what: Measure) -> float:
    """One number of the mean of all rows of a tap; which one, the index says last."""
    return float(array(run, what.of[0])[:, what.of[0].index[-1]].mean())


def centre_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of = what.of[0]
    column = array(run, of)[:, of.index[-1]].astype(np.float64)
    return mean_steps("all_sum", Named(column, source=lambda i: replace(of, index=(i, of.index[-1]))))


def middle(run: Capture, of: Origin) -> Named:
    """The mean of all rows of a tap in float64: each number of it is a measure, too."""

    def source(i: int) -> Measure:
        return Measure("centre", (replace(of, index=(0, i)),))

    return Named(array(run, of).astype(np.float64).mean(0), source=source)


def middles(run: Capture, what: Measure) -> float:
    """How alike the means of two taps are."""
    return float(cosine(*(middle(run, of).values for of in what.of)))


def middles_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = (middle(run, of) for of in what.of)
    return cosine_steps(x, y, "mean_products")


def unlike_means(run: Capture, what: Measure) -> float:
    """What a comparison is trained to make smaller: 1 − their cosine."""
    return 1 - middles(run, what)


def unlike_means_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    alike, cosine_of = Measure("middles", what.of), middles_steps(run, what)[-1].value
    return (Step("unlike_means", 1 - cosine_of, {"cosine": cosine_of}, of={"cosine": alike}),)


def shift(run: Capture, what: Measure) -> float:
    """How far the numbers of one run lie from those of the other, in the mean: |x − y|."""
    x, y = (read(run, of) for of in what.of)
    if x.shape != y.shape:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(np.abs(y - x).mean())


def shift_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    x, y = vectors(run, what)
    gaps = np.abs(y.flat - x.flat)
    total = float(gaps.sum())
    added = with_terms(Step("gap_sum", total), gaps, x, y)
    return added, Step("mean_of", total / len(gaps), {"sum": total, "n": f"{len(gaps):,}"})


KINDS = {
    "mean": Kind((2,), mean, all_steps, cells, terms="number"),
    "variance": Kind((2,), variance, variance_steps, cells, terms="number"),
    "deviation": Kind((0,), deviation, deviation_steps, a_variance),
    "shift": Kind((3, 3), shift, shift_steps, cells, terms="number"),
    "lengths": Kind((2,), lengths, lengths_steps, whole, terms="rows"),
    "centre": Kind((0,), centre, centre_steps, whole, terms="number"),
    "middles": Kind((2, 2), middles, middles_steps, whole),
    "unlike_means": Kind((2, 2), unlike_means, unlike_means_steps, whole),
    "alike": Kind((2,), mean_alike, mean_alike_steps, whole, terms="rows"),
    "unlike": Kind((2, 2), mean_unlike, mean_unlike_steps, whole, terms="rows"),
    "spread": Kind((2, 2), spread, spread_steps, whole, terms="rows"),
    "others": Kind((1, 1), mean_alike, mean_alike_steps, whole, terms="rows"),
}
