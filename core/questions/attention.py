"""Which token does this one look at most?"""

from collections.abc import Iterator

import numpy as np

from ..ranking import largest
from ..text.token import named
from ..views.attention import AttentionView
from .question import CLEAR, Question, keys, looked_at, repeated, words


def each(view: AttentionView, head: int) -> Iterator[Question]:
    """Which token does {t} look at most in this head? Asked of the last repeated token, then of the clearest rows."""
    weights = view.weights[head]
    for row in asked_rows(view.tokens, view.special, weights):
        best, second = largest(weights[row], 2)
        margin = float(weights[row, best] - weights[row, second])
        if margin < CLEAR or np.isfinite(view.mask[row]).sum() < 2:  # whoever sees one key alone has no choice
            continue
        facts = {"token": named(view.tokens, row), **looked_at(view.key_tokens, weights[row])}
        yield Question("most_looked_at", keys(view.key_tokens, weights[row]), str(best), margin, row, facts)


def asked_rows(tokens: tuple[str, ...], special: tuple[bool, ...], weights: np.ndarray) -> list[int]:
    """The rows to try: the last repeated word's, then those whose best leads most. Specials are not asked about."""
    asked = words(tokens, special)
    if len(tokens) < 4 or not asked:  # two tokens of the sentence's own, or there is nobody to look at
        return []
    top = np.sort(weights, axis=-1)
    # Who looks at himself is a poor question, if there is another.
    clearest = sorted(asked, key=lambda i: (int(weights[i].argmax()) == i, -float(top[i, -1] - top[i, -2])))
    return list(dict.fromkeys([*repeated(asked, tokens)[-1:], *clearest]))
