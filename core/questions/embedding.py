"""After the lookup: the same vector? Which of two rows is nearer?"""

from core.questions.question import CLEAR, Choice, Question, repeated, words
from core.views.embedding import EmbeddingView


def after_lookup(view: EmbeddingView) -> Question | None:
    """The two {t}: the same vector after the lookup? Where no word repeats: which of two rows is nearer?"""
    asked = words(view.tokens, view.special)
    again = repeated(asked, view.ids)
    return same_row(view, again[-1]) if again else nearer_row(view, asked)


def same_row(view: EmbeddingView, row: int) -> Question:
    """Asked about the last repeated word; an id names a row, so the answer is always the same."""
    first = view.same(row)[0]
    facts = {
        "token": view.tokens[row],
        "first": first,
        "id": view.ids[row],
        "d_model": view.d_model,
        "difference": view.apart(first, row),
    }
    return Question("same_row", tuple(Choice(id) for id in ("equal", "alike", "different")), "equal", 1.0, row, facts)


def nearer_row(view: EmbeddingView, asked: list[int]) -> Question | None:
    """The word of those `asked`, and the two others, between which the difference of the cosines is greatest."""
    best = (CLEAR, -1, -1, -1)
    for row in asked:
        others = [i for i in asked if view.ids[i] != view.ids[row]]
        if len(others) >= 2:
            near = max(others, key=lambda i: view.cosine[row, i])
            far = min(others, key=lambda i: view.cosine[row, i])
            best = max(best, (float(view.cosine[row, near] - view.cosine[row, far]), row, near, far))
    margin, row, near, far = best
    if row < 0:
        return None
    facts = {
        "token": view.tokens[row],
        "near": view.tokens[near],
        "near_cosine": float(view.cosine[row, near]),
        "far": view.tokens[far],
        "far_cosine": float(view.cosine[row, far]),
    }
    choices = tuple(Choice(str(i), view.tokens[i]) for i in sorted((near, far)))
    return Question("nearer_row", choices, str(near), margin, row, facts)
