"""What is measured of whole rows: how long one is, beside another, and how alike two are; the mean of many of these;
what a head does on average; and how much a token brings along when it is looked at. Each ends in their numbers.

A row is an `Origin` with None for its last axis: a token's state at a tap, or a row of a learned table; a head's
weights, or all tokens' rows at a tap, have None for two.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.capture import Capture
from core.derivation.derive import array, onward, value
from core.derivation.origins import Cell, Measure, Origin, Source, Weight
from core.derivation.steps import Derivation, Named, Step, Vector, stepped, summed, with_terms
from core.errors import InputError
from core.model.places import split
from core.text.token import Token
from core.views import heads
from core.views.overview import other_pairs
from core.views.vectors import cosine, cosines

WHOLE = ("mean", "variance", "energy")  # of all numbers of a head, or of a tap
HABIT = "does_"  # before the name of a measure in `core.views.heads`


@dataclass(frozen=True)
class Kind:
    """One kind of measure.

    Attributes:
        open: of each origin, how many of its axes are measured.
        value: the number itself, as NumPy computes it from the captured rows. Raises InputError where there is none.
        steps: the same in float64, step by step.
    """

    open: tuple[int, ...]
    value: Callable[[Capture, Measure], float]
    steps: Callable[[Capture, Measure], tuple[Step, ...]]


def taps(source: Source) -> tuple[str, ...]:
    """The taps it reads."""
    of = source.of if isinstance(source, Measure) else (source,)
    masks = [mask_of(source.of[0])] if isinstance(source, Measure) and source.kind.startswith(HABIT) else []
    return (*(origin.name for origin in of if isinstance(origin, Cell)), *masks)


def measure(run: Capture, what: Measure) -> Derivation:
    """The steps to a measure, in float64, held against NumPy's own of the captured rows. Raises InputError where what
    is measured has no row here."""
    captured, steps = measured(run, what), KINDS[what.kind].steps(run, what)
    return Derivation(steps, captured, what.of, onward(steps))


def measured(run: Capture, what: Measure) -> float:
    """The number itself. Raises InputError for rows that are not measured so."""
    if not measurable(what):
        raise InputError("not_a_cell", text=str(what)[:80])
    return KINDS[what.kind].value(run, what)


def measurable(what: Measure) -> bool:
    """Whether its rows are of a kind that is measured so: rows of a table have a length and a direction, no more; all
    of a table would be too much; and only a variance has a standard deviation."""
    if what.kind in ("length", "cosine", "ratio"):
        return all(isinstance(of, Cell) or of.name.endswith("table.weight") for of in what.of)
    if what.kind in ("lengths", "alike", "others"):
        return all(isinstance(of, Cell) and len(of.index) == 2 for of in what.of)
    if what.kind == "deviation":
        return split(what.of[0].name)[1] == "variance"
    return what.kind not in WHOLE or all(isinstance(of, Cell) for of in what.of)


def number(run: Capture, source: Source) -> float:
    """The number that stands there, or what is measured of it."""
    return measured(run, source) if isinstance(source, Measure) else value(run, source)


def read(run: Capture, of: Origin) -> np.ndarray:
    """What it names, as it was captured."""
    return array(run, of)[of.slices]


def vectors(run: Capture, what: Measure) -> list[Vector]:
    return [Vector.read(array(run, of), of) for of in what.of]


# ---- one row, or two


def length(run: Capture, what: Measure) -> float:
    return float(np.linalg.norm(read(run, what.of[0])))


def length_steps(x: Vector) -> tuple[Step, ...]:
    squares = summed("row_squares", x, x)
    return squares, Step("row_length", math.sqrt(squares.value), {"sum": squares.value})


def alike(run: Capture, what: Measure) -> float:
    return float(cosine(*(read(run, of) for of in what.of)))


def cosine_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Of a row of zeros, which has no direction, there is none."""
    dot, lengths = summed("row_products", x, y), [math.sqrt(float(row.values @ row.values)) for row in (x, y)]
    ratio = dot.value / (lengths[0] * lengths[1]) if all(lengths) else math.nan
    return dot, Step("row_cosine", ratio, {"dot": dot.value, "one": lengths[0], "other": lengths[1]})


def ratio(run: Capture, what: Measure) -> float:
    one, other = (float(np.linalg.norm(read(run, of))) for of in what.of)
    return one / other if other else math.nan


def ratio_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Beside a row of zeros nothing has a ratio."""
    squares = [summed("row_squares", row, row) for row in (x, y)]
    one, other = (math.sqrt(step.value) for step in squares)
    return *squares, Step("row_ratio", one / other if other else math.nan, {"one": one, "other": other})


def of_rows(steps: Callable[..., tuple[Step, ...]]) -> Callable[[Capture, Measure], tuple[Step, ...]]:
    return lambda run, what: steps(*vectors(run, what))


# ---- the mean of many


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
    """How far all these numbers lie from their mean: squared, and averaged."""
    (x,) = vectors(run, what)
    added, middle = mean_steps("all_sum", x)
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


def energy(run: Capture, what: Measure) -> float:
    """The share of the first in the squared lengths of both."""
    one, other = (float((read(run, of).astype(np.float64) ** 2).sum()) for of in what.of)
    return one / (one + other) if one + other else math.nan


def energy_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    one, other = (summed("all_squares", x, x) for x in vectors(run, what))
    both = one.value + other.value
    parts = {"one": one.value, "other": other.value}
    return one, other, Step("energy", one.value / both if both else math.nan, parts)


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


# ---- what a head does


def mask_of(head: Origin) -> str:
    return head.name.removesuffix("weights") + "mask"


def sides(run: Capture, head: Origin) -> tuple[tuple[Token, ...], tuple[Token, ...], np.ndarray]:
    """The tokens that ask and those that answer; [query, key], who may look where."""
    allowed = run[mask_of(head)] == 0
    return run.side(head.name, "query"), run.side(head.name, "key"), allowed


def habit(run: Capture, what: Measure) -> float:
    (head,), name = what.of, what.kind.removeprefix(HABIT)
    place, word = split(head.name)
    if word != "weights" or not place.kind:
        raise InputError("not_a_cell", text=str(what)[:80])
    queries, keys, allowed = sides(run, head)
    weights = run[head.name][head.slices][None, None]  # layer, head, query, key
    found = heads.measured(weights, allowed, queries, keys, place.kind == "cross").get(name)
    if found is None:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(found[0, 0])


def habit_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    """The weights that are meant, added up, and divided by how many rows there are; of how evenly it spreads,
    −w ln w of every weight, by the logarithm of how many keys its row may look at."""
    (weights,), name = vectors(run, what), what.kind.removeprefix(HABIT)
    queries, keys, allowed = sides(run, what.of[0])
    even = name == "entropy"
    meant = allowed & (allowed.sum(1, keepdims=True) > 1) if even else heads.meant(name, queries, keys) & allowed
    places = np.argwhere(meant)
    picked = Named(weights.values[meant], source=lambda i: what.of[0].at(*map(int, places[i])))
    count = np.repeat(allowed.sum(1), meant.sum(1)).astype(np.float64)  # of keys, for each number that was picked
    terms = picked.values
    if even:
        terms = -terms * np.log(np.where(terms > 0, terms, 1)) / np.log(count)
    total, rows = float(terms.sum()), int(meant.any(1).sum())
    step = Step("habit_entropy" if even else "habit_sum", total)
    added = with_terms(step, terms, picked, Vector(count))
    return added, Step("habit_mean", total / rows, {"sum": total, "rows": str(rows)})


# ---- what a token brings along (Kobayashi et al. 2020, section 3)


def brings(run: Capture, value: Origin) -> tuple[np.ndarray, Weight]:
    """[d_model, d_head] the part of W^O that a head's values go through, and what the whole of it is called. Raises
    InputError for what is no row of values."""
    place, word = split(value.name)
    if word != "value" or not place.kind:
        raise InputError("not_a_cell", text=str(value)[:80])
    matrix = Weight(f"{place}.to_output.weight", (None, None))
    d_head, head = array(run, value).shape[-1], int(value.index[0] or 0)
    return array(run, matrix)[:, head * d_head : (head + 1) * d_head], matrix


def brought(run: Capture, what: Measure) -> float:
    """One number of v · W^O."""
    value, line = what.of
    part, matrix = brings(run, value)
    if line.name != matrix.name:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(read(run, value) @ part[int(line.index[0] or 0)])


def brought_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    value, line = what.of
    part, matrix = brings(run, value)
    dim, first = int(line.index[0] or 0), int(value.index[0] or 0) * part.shape[1]
    column = Named(part[dim].astype(np.float64), source=lambda i: Weight(matrix.name, (dim, first + i)))
    return (summed("brought_sum", Vector.read(array(run, value), value), column),)


def carried(run: Capture, what: Measure) -> float:
    """‖v · W^O‖"""
    part, _ = brings(run, what.of[0])
    return float(np.linalg.norm(read(run, what.of[0]) @ part.T))


def carried_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    value = what.of[0]
    part, matrix = brings(run, value)
    through = read(run, value).astype(np.float64) @ part.T.astype(np.float64)
    return length_steps(Named(through, source=lambda i: Measure("brought", (value, Weight(matrix.name, (i, None))))))


def share(run: Capture, what: Measure) -> float:
    """Of all that a row takes, what comes from one key."""
    weights, lengths, key = taking(run, what, np.float32)
    each = weights * lengths
    return float(each[key] / each.sum())


def taking(run: Capture, what: Measure, kind: type) -> tuple[np.ndarray, np.ndarray, int]:
    """[key] the weights of a row and ‖v W^O‖, and which key is meant. Raises InputError for rows of two heads."""
    of, value = what.of
    part, _ = brings(run, value)
    if of.name != value.name.removesuffix("value") + "weights" or of.index[0] != value.index[0]:
        raise InputError("not_a_cell", text=str(what)[:80])
    values = array(run, value)[value.index[0]].astype(kind)
    lengths = np.linalg.norm(values @ part.astype(kind).T, axis=-1)
    return read(run, of).astype(kind), lengths, int(value.index[1] or 0)


def taken(run: Capture, what: Measure) -> float:
    """weight · ‖v W^O‖"""
    weights, lengths, key = taking(run, what, np.float32)
    return float(weights[key] * lengths[key])


def taken_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of, value), (weights, lengths, key) = what.of, taking(run, what, np.float64)
    own = {"weight": float(weights[key]), "length": float(lengths[key])}
    return (
        Step("taken_own", own["weight"] * own["length"], own, of={"weight": of.at(key), "length": carry(value, key)}),
    )


def share_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of, value = what.of
    weights, lengths, key = taking(run, what, np.float64)
    each = weights * lengths
    (first,), total = taken_steps(run, what), float(each.sum())
    bring = Named(lengths, source=lambda k: carry(value, k))
    added = with_terms(Step("taken_sum", total), each, Vector(weights, of), bring, focus=key)
    return first, added, Step("taken_share", first.value / total, {"own": first.value, "total": total})


def carry(value: Origin, key: int) -> Measure:
    return Measure("carried", (Cell(value.name, (value.index[0], key, None)),))


KINDS: Mapping[str, Kind] = {
    "length": Kind((1,), length, of_rows(length_steps)),
    "cosine": Kind((1, 1), alike, of_rows(cosine_steps)),
    "ratio": Kind((1, 1), ratio, of_rows(ratio_steps)),
    "mean": Kind((2,), mean, of_rows(partial(mean_steps, "all_sum"))),
    "variance": Kind((2,), variance, variance_steps),
    "deviation": Kind((0,), deviation, deviation_steps),
    "energy": Kind((2, 2), energy, energy_steps),
    "lengths": Kind((2,), lengths, lengths_steps),
    "alike": Kind((2,), mean_alike, mean_alike_steps),
    "others": Kind((1, 1), mean_alike, mean_alike_steps),
    **{f"{HABIT}{name}": Kind((2,), habit, habit_steps) for name in heads.MEASURES},
    "brought": Kind((1, 1), brought, brought_steps),
    "carried": Kind((1,), carried, carried_steps),
    "taken": Kind((1, 1), taken, taken_steps),
    "share": Kind((1, 1), share, share_steps),
}
