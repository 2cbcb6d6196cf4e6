"""Ten times the vector before the norm: what does the norm give?"""

import numpy as np

from core.questions.question import CLEAR, Choice, Question, repeated, words
from core.text.token import named
from core.views.layernorm import NormView


def ten_times(view: NormView) -> Question | None:
    """Ten times the vector before the norm: what does the norm give? Asked where the output stays, but for rounding."""
    asked = words(view.tokens, view.special)
    if not asked:
        return None
    row = (repeated(asked, view.tokens) or asked)[-1]
    moved, largest = float(view.moves(factor=10, shift=0)[row]), float(np.abs(view.captured.after[row]).max())
    margin = 1 - moved / largest
    if margin < 1 - CLEAR:
        return None
    facts = {
        "token": named(view.tokens, row),
        "moved": moved,
        "largest": largest,
        "spread": float(view.captured.before[row].std()),
        "ten_spread": float(view.ran(factor=10).before[row].std()),
        "d_model": view.d_model,
    }
    return Question("ten_times", tuple(Choice(id) for id in ("tenfold", "same", "tenth")), "same", margin, row, facts)
