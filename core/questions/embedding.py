"""Before the lookup: how many rows will be fetched? Which of two rows is nearer?"""

from core.questions.question import CLEAR, Choice, Question, repeated, words
from core.views.embedding import EmbeddingView


def before_lookup(view: EmbeddingView) -> Question | None:
    """How many different rows do the tokens fetch? Where no word repeats: which of two rows is nearer?"""
    asked = words(view.tokens, view.special)
    again = repeated(asked, view.ids)
    return rows_fetched(view, again[-1]) if again else nearer_row(view, asked)


def rows_fetched(view: EmbeddingView, row: int) -> Question:
    """An id names a row: tokens that repeat fetch the same one. The answer tells of the last word that does."""
    tokens, count = len(view.ids), len(set(view.ids))
    places = sorted([row, *view.same(row)])
    facts = {
        "tokens": tokens,
        "count": count,
        "token": view.tokens[row],
        "places": ", ".join(map(str, places)),
        "id": view.ids[row],
        "d_model": view.d_model,
        "difference": max(view.apart(places[0], place) for place in places),
    }
    fewer = range(max(1, count - row % 3), count)  # none, one or two: the answer must not stand in one place always
    choices = tuple(Choice(str(n), str(n)) for n in (*fewer, count, tokens))
    return Question("rows_fetched", choices, str(count), 1.0, row, facts)


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
