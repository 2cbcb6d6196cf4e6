"""The cosine of two tokens' states at one depth, step by step."""

import math

import numpy as np

from core.derivation.origins import Cell
from core.derivation.steps import Derivation, Step, Vector, summed
from core.views.overview import OverviewView


def derive(view: OverviewView, depth: int, a: int, b: int) -> Derivation:
    """cos(x, y) = x · y ÷ (‖x‖ ‖y‖) for the states of tokens `a` and `b` at one depth (from 0)."""
    states = [state(view, depth, i) for i in (a, b)]
    dot, (x, y) = summed("dot", *states), (vector.values for vector in states)
    left, right = math.sqrt(x @ x), math.sqrt(y @ y)
    lengths = Step("lengths", left * right, {"left": left, "right": right})
    cosine = Step("cosine", dot.value / lengths.value, {"dot": dot.value, "lengths": lengths.value})
    return Derivation((dot, lengths, cosine), float(view.cosines(a, b)[depth]))


def state(view: OverviewView, depth: int, row: int) -> Vector:
    """A token's state at one depth, and the cells it is made of: the rows of the target stand after the source's."""
    at, written = view.depths[depth], row >= view.read
    of = Cell(at.taps[written], (row - view.read if written else row, None))
    return Vector(at.states[row].astype(np.float64), of)
