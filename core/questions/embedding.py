"""Before the lookup: how many different rows will be fetched? Which of two rows is nearer?"""

from collections.abc import Iterator

from ..counting import few
from ..views.embedding import EmbeddingView
from .question import CLEAR, Choice, Question, repeated, words

SEVERAL = 3  # words, of which it is asked whether their rows differ


def each(view: EmbeddingView) -> Iterator[Question]:
    """Where a word repeats, how many different rows the tokens fetch; then of each word that stands there once, which
    of two rows is nearer, the clearest first. Of a word that stands there twice the second would show what is
    veiled of the first. Where none repeats, that all rows differ comes last."""
    asked = words(view.tokens, view.special)
    again = repeated(asked, view.ids)
    if again:
        yield rows_fetched(view, again[-1])
    yield from nearer_rows(view, [i for i in asked if view.ids.count(view.ids[i]) == 1])
    if not again and len(asked) >= SEVERAL and len(set(view.ids)) == len(view.ids):
        yield rows_once(view, asked[-1])


def rows_fetched(view: EmbeddingView, row: int) -> Question:
    """An id names a row: tokens that repeat fetch the same one. The answer tells of the last word that does."""
    tokens, count = len(view.ids), len(set(view.ids))
    places = view.places(row)
    facts = {
        "tokens": tokens,
        "count": count,
        "token": view.tokens[row],
        "places": ", ".join(few(places)),
        "id": view.ids[row],
        "d_model": view.d_model,
        "difference": max(view.apart(places[0], place) for place in places),
    }
    fewer = range(max(1, count - row % 3), count)  # none, one or two: the answer must not stand in one place always
    choices = tuple(Choice(str(n), str(n)) for n in (*fewer, count, tokens))
    return Question("rows_fetched", choices, str(count), 1.0, row, facts)


def rows_once(view: EmbeddingView, row: int) -> Question:
    """No id stands there twice, so no two tokens fetch the same row."""
    tokens = len(view.ids)
    facts = {"tokens": tokens, "token": view.tokens[row], "id": view.ids[row]}
    choices = tuple(Choice(str(n), str(n)) for n in range(max(1, tokens - 1 - row % 2), tokens + 1))
    return Question("rows_once", choices, str(tokens), 1.0, row, facts)


def nearer_rows(view: EmbeddingView, asked: list[int]) -> list[Question]:
    """Of each word of those `asked` the two others between which the difference of the cosines is greatest."""
    found = []
    for row in asked:
        others = [i for i in asked if i != row]
        if len(others) >= 2:
            near = max(others, key=lambda i: view.cosine[row, i])
            far = min(others, key=lambda i: view.cosine[row, i])
            found.append((float(view.cosine[row, near] - view.cosine[row, far]), row, near, far))
    return [nearer_row(view, *one) for one in sorted(found, reverse=True) if one[0] > CLEAR]


def nearer_row(view: EmbeddingView, margin: float, row: int, near: int, far: int) -> Question:
    facts = {
        "token": view.tokens[row],
        "near": view.tokens[near],
        "near_cosine": float(view.cosine[row, near]),
        "far": view.tokens[far],
        "far_cosine": float(view.cosine[row, far]),
    }
    choices = tuple(Choice(str(i), view.tokens[i]) for i in sorted((near, far)))
    return Question("nearer_row", choices, str(near), margin, row, facts)
