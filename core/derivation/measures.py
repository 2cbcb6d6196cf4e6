"""What is measured of whole rows: how long one is, beside another, and how alike two are; and of a head's weights: what
it does on average. Each ends in their numbers.

A row is an `Origin` with None for its last axis: a token's state at a tap, or a row of a learned table; a head's
weights one with None for its last two.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.capture import Capture
from core.derivation.derive import array, onward
from core.derivation.origins import Cell, Origin
from core.derivation.steps import Derivation, Step, Vector, summed, with_terms
from core.errors import InputError
from core.text.token import Token
from core.views import heads
from core.views.vectors import cosine


@dataclass(frozen=True)
class Length:
    """‖x‖ of one row."""

    row: Origin

    @property
    def rows(self) -> tuple[Origin, ...]:
        return (self.row,)


@dataclass(frozen=True)
class Cosine:
    """x · y ÷ (‖x‖ ‖y‖) of two rows."""

    one: Origin
    other: Origin

    @property
    def rows(self) -> tuple[Origin, ...]:
        return self.one, self.other


@dataclass(frozen=True)
class Ratio:
    """‖x‖ ÷ ‖y‖ of two rows."""

    one: Origin
    other: Origin

    @property
    def rows(self) -> tuple[Origin, ...]:
        return self.one, self.other


@dataclass(frozen=True)
class Habit:
    """What a head does, by the name of a measure in `core.views.heads`: a mean over the rows of its weights."""

    name: str
    head: Cell

    @property
    def rows(self) -> tuple[Cell, ...]:
        return (self.head,)


Measure = Length | Cosine | Ratio | Habit


def taps(what: Measure) -> tuple[str, ...]:
    """The taps it reads."""
    names = [row.name for row in what.rows if isinstance(row, Cell)]
    return (*names, mask_of(what.head)) if isinstance(what, Habit) else tuple(names)


def mask_of(head: Cell) -> str:
    return head.name.removesuffix("weights") + "mask"


def measure(run: Capture, what: Measure) -> Derivation:
    """The steps to a measure, in float64, held against NumPy's own of the captured rows. Raises InputError where what
    a head does has no row here."""
    captured = measured(run, what)
    rows = [Vector.read(array(run, row), row) for row in what.rows]
    steps = habit_steps(run, what, *rows) if isinstance(what, Habit) else STEPS[type(what)](*rows)
    return Derivation(steps, captured, what.rows, onward(steps))


def measured(run: Capture, what: Measure) -> float:
    """The number itself."""
    if isinstance(what, Habit):
        return habit(run, what)
    rows = [array(run, row)[row.slices] for row in what.rows]
    if isinstance(what, Cosine):
        return float(cosine(*rows))
    first, *others = (float(np.linalg.norm(row)) for row in rows)
    return first / others[0] if others and others[0] else math.nan if others else first


def length_steps(x: Vector) -> tuple[Step, ...]:
    squares = summed("row_squares", x, x)
    return squares, Step("row_length", math.sqrt(squares.value), {"sum": squares.value})


def cosine_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Of a row of zeros, which has no direction, there is none."""
    dot, lengths = summed("row_products", x, y), [math.sqrt(float(row.values @ row.values)) for row in (x, y)]
    ratio = dot.value / (lengths[0] * lengths[1]) if all(lengths) else math.nan
    return dot, Step("row_cosine", ratio, {"dot": dot.value, "one": lengths[0], "other": lengths[1]})


def ratio_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Beside a row of zeros nothing has a ratio."""
    squares = [summed("row_squares", row, row) for row in (x, y)]
    one, other = (math.sqrt(step.value) for step in squares)
    return *squares, Step("row_ratio", one / other if other else math.nan, {"one": one, "other": other})


# ---- what a head does


@dataclass(frozen=True, eq=False)
class Picked(Vector):
    """Numbers picked out of an array, and the places of each."""

    places: np.ndarray | None = None  # [number, axis]

    def origin(self, i: int) -> Origin | None:
        assert self.of is not None and self.places is not None
        return self.of.at(*map(int, self.places[i]))


def sides(run: Capture, head: Cell) -> tuple[tuple[Token, ...], tuple[Token, ...], np.ndarray]:
    """The tokens that ask and those that answer; [query, key], who may look where."""
    allowed = run[mask_of(head)] == 0
    return run.side(head.name, "query"), run.side(head.name, "key"), allowed


def habit(run: Capture, what: Habit) -> float:
    queries, keys, allowed = sides(run, what.head)
    weights = run[what.head.name][what.head.slices][None, None]  # layer, head, query, key
    across = ".cross_attention." in what.head.name
    found = heads.measured(weights, allowed, queries, keys, across).get(what.name)
    if found is None:
        raise InputError("not_a_cell", text=what.name)
    return float(found[0, 0])


def habit_steps(run: Capture, what: Habit, weights: Vector) -> tuple[Step, ...]:
    """The weights that are meant, added up, and divided by how many rows there are; of how evenly it spreads,
    −w ln w of every weight, by the logarithm of how many keys its row may look at."""
    queries, keys, allowed = sides(run, what.head)
    even = what.name == "entropy"
    meant = allowed & (allowed.sum(1, keepdims=True) > 1) if even else heads.meant(what.name, queries, keys) & allowed
    picked = Picked(weights.values[meant], weights.of, np.argwhere(meant))
    count = np.repeat(allowed.sum(1), meant.sum(1)).astype(np.float64)  # of keys, for each number that was picked
    terms = picked.values
    if even:
        terms = -terms * np.log(np.where(terms > 0, terms, 1)) / np.log(count)
    total, rows = float(terms.sum()), int(meant.any(1).sum())
    step = Step("habit_entropy" if even else "habit_sum", total)
    added = with_terms(step, terms, picked, Vector(count))
    return added, Step("habit_mean", total / rows, {"sum": total, "rows": str(rows)})


STEPS: Mapping[type, Callable[..., tuple[Step, ...]]] = {
    Length: length_steps,
    Cosine: cosine_steps,
    Ratio: ratio_steps,
}
