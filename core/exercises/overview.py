"""Two words alike at the end; where on the way two are least alike."""

import numpy as np

from ..text.token import named
from ..views.overview import OverviewView
from ..views.vectors import cosines
from .exercise import Exercise, Patch, Values, Verdict, place, unlike

SAME = 1e-6  # cosines nearer than this are the same


def pairs_of(view: OverviewView) -> list[tuple[int, int]]:
    return unlike(view.words, view.ids)


def chosen(view: OverviewView, values: Values) -> tuple[int, int] | None:
    """The two that are compared, the first first; None where they are not two different words that are read."""
    pair = (min(values["q"], values["k"]), max(values["q"], values["k"]))
    return pair if pair in pairs_of(view) else None


def most_alike(view: OverviewView, values: Values) -> Verdict:
    """Of every two different words: are these most alike after the last layer?"""
    pair = chosen(view, values)
    if pair is None:
        return Verdict(False, said="other")
    last, pairs = cosines(view.depths[-1].states), pairs_of(view)
    at = place(last, pairs, pair)
    names = {"first": named(view.tokens, pair[0]), "second": named(view.tokens, pair[1])}
    return Verdict(at == 1, {**names, "cosine": float(last[pair]), "place": at, "pairs": len(pairs)})


def alike_at_the_end(view: OverviewView, values: Values) -> Patch | None:
    pairs, last = pairs_of(view), cosines(view.depths[-1].states)
    if len(pairs) < 2:
        return None
    first, second = max(pairs, key=lambda pair: last[pair])
    return {"q": second, "k": first, "depth": len(view.depths) - 1}


def least_alike(view: OverviewView, values: Values) -> Verdict:
    """Does the frame stand where these two different words are least alike?"""
    pair = chosen(view, values)
    if pair is None:
        return Verdict(False, said="other")
    along, depth = view.cosines(*pair), values["depth"]
    facts = {
        "first": named(view.tokens, pair[0]),
        "second": named(view.tokens, pair[1]),
        "cosine": float(along[depth]),
        "lower": int((along < along[depth] - SAME).sum()),
        "last": float(along[-1]),
    }
    return Verdict(bool(along[depth] <= along.min() + SAME), facts)


def at_the_lowest(view: OverviewView, values: Values) -> Patch | None:
    pair = chosen(view, values) or next(iter(pairs_of(view)), None)
    if pair is None:
        return None
    return {"q": pair[1], "k": pair[0], "depth": int(np.argmin(view.cosines(*pair)))}


EXERCISES = (
    Exercise("alike", most_alike, alike_at_the_end),
    Exercise("least", least_alike, at_the_lowest),
)
