"""Two tokens that are one row; the two rows that are most alike."""

from ..questions.question import words
from ..text.token import named
from ..views.embedding import EmbeddingView
from .exercise import Exercise, Patch, Values, Verdict, alike, place, unlike


def names(view: EmbeddingView, a: int, b: int) -> dict[str, object]:
    return {"first": named(view.tokens, a), "second": named(view.tokens, b)}


def typed(view: EmbeddingView) -> list[int]:
    return words(view.tokens, view.special)


def equal(view: EmbeddingView, values: Values) -> Verdict:
    """Are two tokens selected that fetch the same row?"""
    a, b = values["pos"], values["k"]
    if b is None or a == b:
        return Verdict(False, {"first": named(view.tokens, a)}, "other")
    facts = {**names(view, a, b), "id": view.ids[a], "other_id": view.ids[b], "difference": view.apart(a, b)}
    return Verdict(view.ids[a] == view.ids[b], facts)


def two_of_a_kind(view: EmbeddingView, values: Values) -> Patch | None:
    pairs = alike(typed(view), view.ids)
    return {"pos": pairs[-1][1], "k": pairs[-1][0]} if pairs else None


def nearest(view: EmbeddingView, values: Values) -> Verdict:
    """Of all different words: are the two selected rows most alike?"""
    a, b = values["pos"], values["k"]
    if b is None or a == b:
        return Verdict(False, {"first": named(view.tokens, a)}, "other")
    pair, pairs = (min(a, b), max(a, b)), unlike(typed(view), view.ids)
    if pair not in pairs:
        return Verdict(False, names(view, *pair), "same")
    at = place(view.cosine, pairs, pair)
    facts = {**names(view, *pair), "cosine": float(view.cosine[pair]), "place": at, "pairs": len(pairs)}
    return Verdict(at == 1, facts)


def the_nearest(view: EmbeddingView, values: Values) -> Patch | None:
    pairs = unlike(typed(view), view.ids)
    if len(pairs) < 2:
        return None
    first, second = max(pairs, key=lambda pair: view.cosine[pair])
    return {"pos": second, "k": first, "pair": "row"}


EXERCISES = (
    Exercise("equal", equal, two_of_a_kind, apart=True),
    Exercise("alike", nearest, the_nearest, apart=True),
)
