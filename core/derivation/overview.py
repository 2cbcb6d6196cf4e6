"""The cosine of two tokens' states at one depth, step by step."""

import numpy as np

from core.derivation.operators import ratio
from core.derivation.origins import Cell
from core.derivation.steps import Derivation, Step, Vector, lengths, summed
from core.views.overview import OverviewView


def derive(view: OverviewView, depth: int, a: int, b: int) -> Derivation:
    """cos(x, y) = x · y ÷ (‖x‖ ‖y‖) for the states of tokens `a` and `b` at one depth (from 0)."""
    x, y = (state(view, depth, i) for i in (a, b))
    dot, (long, of) = summed("dot", x, y), lengths(left=x, right=y)
    product = Step("lengths", long["left"] * long["right"], long, of=of)
    cosine = ratio("cosine", dot=dot.value, lengths=product.value)
    return Derivation((dot, product, cosine), float(view.cosines(a, b)[depth]))


def state(view: OverviewView, depth: int, row: int) -> Vector:
    """A token's state at one depth, and the cells it is made of: the rows of the target stand after the source's."""
    at, written = view.depths[depth], row >= view.read
    of = Cell(at.taps[written], (row - view.read if written else row, None))
    return Vector(at.states[row].astype(np.float64), of)
