"""What is measured of whole rows: how long one is, and how alike two are. Each ends in the rows' own numbers.

A row is an `Origin` with None for its last axis: a token's state at a tap, or a row of a learned table.
"""

import math
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


Measure = Length | Cosine


def measure(run: Capture, what: Measure) -> Derivation:
    """The steps to a measure, in float64, held against NumPy's own of the captured rows."""
    rows = [Vector.read(array(run, row), row) for row in what.rows]
    steps = length_steps(rows[0]) if isinstance(what, Length) else cosine_steps(*rows)
    return Derivation(steps, measured(run, what), what.rows, onward(steps))


def measured(run: Capture, what: Measure) -> float:
    """The number itself."""
    rows = [array(run, row)[row.slices] for row in what.rows]
    return float(np.linalg.norm(rows[0]) if isinstance(what, Length) else cosine(*rows))


def length_steps(x: Vector) -> tuple[Step, ...]:
    squares = summed("row_squares", x, x)
    return squares, Step("row_length", math.sqrt(squares.value), {"sum": squares.value})


def cosine_steps(x: Vector, y: Vector) -> tuple[Step, ...]:
    """Of a row of zeros, which has no direction, there is none."""
    dot, lengths = summed("row_products", x, y), [math.sqrt(float(row.values @ row.values)) for row in (x, y)]
    ratio = dot.value / (lengths[0] * lengths[1]) if all(lengths) else math.nan
    return dot, Step("row_cosine", ratio, {"dot": dot.value, "one": lengths[0], "other": lengths[1]})
