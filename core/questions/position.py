"""Two words swapped without positions: does a vector change? Which two positions are farther apart?"""

import numpy as np

from core.questions.question import CLEAR, Choice, Question
from core.text.token import named
from core.views.orders import OrderView
from core.views.position import PositionTable

SAME = 1e-4  # as a share of its length: what differs less is the same vector, but for rounding
NEAR, FAR = (0, 1), (100, 101)


def after_swap(view: OrderView | None) -> Question | None:
    """Two words swapped, positions off: does the last vector of {t} change? About the first of the two that moved."""
    row = next((i for i in view.moved() if not view.special[i]), None) if view else None
    if view is None or row is None:
        return None
    with_positions, without = (view.readings[name] for name in ("on", "off"))
    difference = float(without.difference[row])
    answer = "same" if difference < SAME else "changed" if difference > CLEAR else None
    if answer is None:
        return None
    facts = {
        "token": named(view.tokens[0], row),
        "other": named(view.tokens[0], next(i for i, j in enumerate(view.partner) if j == row)),
        "off": difference,
        "on": float(with_positions.difference[row]),
        "largest": without.largest,
    }
    choices = tuple(Choice(id) for id in ("same", "slightly", "changed"))
    return Question("after_swap", choices, answer, 1.0, row, facts)


def farther_apart(table: PositionTable) -> Question:
    """Which two positions are farther apart, 0 and 1 or 100 and 101? Of waves the gap alone counts."""
    near, far = (float(np.linalg.norm(table.rows[a] - table.rows[b])) for a, b in (NEAR, FAR))
    answer = "equal" if abs(near - far) < SAME * near else "near" if near > far else "far"
    facts = {"near": near, "far": far, "d_model": table.d_model}
    choices = tuple(Choice(id) for id in ("near", "far", "equal"))
    return Question("farther_apart", choices, answer, 1.0, 0, facts)
