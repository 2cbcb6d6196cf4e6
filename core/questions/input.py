"""Two tokens in the table and in the sum: nearer there, or farther apart?"""

from collections.abc import Iterator

import numpy as np

from ..text.token import named
from ..views.input import InputView
from .question import CLEAR, Choice, Question, words


def each(view: InputView) -> Iterator[Question]:
    """Of two words of the sentence: does adding bring their vectors nearer? First those it brings together most, where
    that is plain, else those that it parts most; then the pairs that move most of the others."""
    typed = words(view.tokens, view.special)
    pairs = [(a, b) for a in typed for b in typed if a < b]
    if not pairs:
        return
    before, after = view.cosines("token"), view.cosines("sum")
    moved = np.array([after[pair] - before[pair] for pair in pairs])
    answers = {"nearer": int(moved.argmax()), "farther": int(moved.argmin())}
    clear = [id for id, i in answers.items() if (moved[i] if id == "nearer" else -moved[i]) >= CLEAR]
    if not clear:
        return
    order = np.argsort(-np.abs(moved), kind="stable").tolist()
    for i in dict.fromkeys([answers[clear[0]], *(i for i in order if abs(moved[i]) >= CLEAR)]):
        yield question(view, pairs[i], before, after)


def question(view: InputView, pair: tuple[int, int], before: np.ndarray, after: np.ndarray) -> Question:
    """before, after [token, token]: the cosines in the table and of the sums"""
    a, b = pair
    answer = "nearer" if after[pair] > before[pair] else "farther"
    facts = {
        "a": named(view.tokens, a),
        "b": named(view.tokens, b),
        "before": float(before[a, b]),
        "after": float(after[a, b]),
        "positions": view.cosine("position", a, b),
    }
    choices = tuple(Choice(id) for id in ("nearer", "same", "farther"))
    template = f"nearer.{'segment' if 'segment' in view.names else 'position'}"
    return Question(template, choices, answer, abs(float(after[a, b] - before[a, b])), b, facts)
