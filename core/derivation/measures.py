"""What is measured of whole rows: how long one is, beside another, and how alike two are. Each ends in their numbers.

A row is an `Origin` with None for its last axis: a token's state at a tap, or a row of a learned table.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.capture import Capture
from core.derivation.derive import array, onward
from core.derivation.origins import Origin
from core.derivation.steps import Derivation, Step, Vector, summed
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


Measure = Length | Cosine | Ratio


def measure(run: Capture, what: Measure) -> Derivation:
    """The steps to a measure, in float64, held against NumPy's own of the captured rows."""
    rows = [Vector.read(array(run, row), row) for row in what.rows]
    steps = STEPS[type(what)](*rows)
    return Derivation(steps, measured(run, what), what.rows, onward(steps))


def measured(run: Capture, what: Measure) -> float:
    """The number itself."""
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


STEPS: Mapping[type, Callable[..., tuple[Step, ...]]] = {
    Length: length_steps,
    Cosine: cosine_steps,
    Ratio: ratio_steps,
}
