"""The cosine of two tokens' states at one depth, step by step."""

import math

import numpy as np

from core.derivation.steps import Derivation, Step, summed
from core.views.overview import OverviewView


def derive(view: OverviewView, depth: int, a: int, b: int) -> Derivation:
    """cos(x, y) = x · y ÷ (‖x‖ ‖y‖) for the states of tokens `a` and `b` at one depth (from 0)."""
    x, y = (view.depths[depth].states[i].astype(np.float64) for i in (a, b))
    dot = summed("dot", x, y)
    left, right = math.sqrt(x @ x), math.sqrt(y @ y)
    lengths = Step("lengths", left * right, {"left": left, "right": right})
    cosine = Step("cosine", dot.value / lengths.value, {"dot": dot.value, "lengths": lengths.value})
    return Derivation((dot, lengths, cosine), float(view.cosines(a, b)[depth]))
