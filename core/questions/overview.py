"""What the layers make of two tokens: nearer or farther apart? Or, of one: which other is most like it at the end?"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ..text.token import named
from ..views.overview import OverviewView
from .question import Choice, Question, words

MOVED = 0.015  # by how much two must have come nearer or parted
PARTED = 0.05  # the same of two that are no twins
CLEAR = 0.1  # by how much the nearest must lead the next


def each(view: OverviewView) -> Iterator[Question]:
    """Of words that stand there twice, or else of two neighbours: nearer at the end? Then of single rows: what is
    nearest? The clearest first."""
    pairs = view.twins() or neighbours(view)
    yield from (question for question in (nearer_or_farther(view, *pair) for pair in pairs) if question)
    yield from most_alike(view)


def neighbours(view: OverviewView) -> list[tuple[int, int]]:
    """The two words beside one another that are most alike before the first layer, of those that layers bring nearer
    or part."""
    beside = [(a, b) for a, b in pairwise(view.words) if b == a + 1]
    moved = [(a, b) for a, b in beside if abs(np.subtract(*view.cosines(a, b)[[-1, -view.layers - 1]])) > PARTED]
    return sorted(moved, key=lambda pair: -view.cosines(*pair)[-view.layers - 1])[:1] if len(view.words) > 2 else []


def pair_of(view: OverviewView, question: Question) -> tuple[int, int]:
    """The two that a question of the kind `nearer_or_farther` is about."""
    return next((pair for pair in view.twins() if pair[1] == question.row), (question.row - 1, question.row))


def nearer_or_farther(view: OverviewView, a: int, b: int) -> Question | None:
    """The two: nearer to each other after all layers than before the first, or farther apart?"""
    others = view.others(a, b)
    if others is None:
        return None
    layers = view.layers
    before, *_, after = view.cosines(a, b)[-layers - 1 :]
    moved = float(after - before)
    if abs(moved) < MOVED:
        return None
    facts = {
        "first": named(view.tokens, a),
        "second": named(view.tokens, b),
        "layers": layers,
        "enter": float(before),
        "last": float(after),
        "others": others,
    }
    choices = tuple(Choice(id) for id in ("nearer", "farther"))
    return Question("nearer_or_farther", choices, "nearer" if moved > 0 else "farther", abs(moved), b, facts)


def most_alike(view: OverviewView) -> Iterator[Question]:
    """Which of three words' states is most like that of {row} after all layers? The rows of which that is clear; of a
    word that stands there more than once, the state that is most like it."""
    asked = words(view.tokens[: view.read], view.special)
    alike = view.alike
    found: list[tuple[float, int, list[int]]] = []
    for row in asked:
        others = [i for i in asked if view.ids[i] != view.ids[row]]
        best = {view.ids[i]: i for i in sorted(others, key=lambda i: float(alike[row, i]))}
        near = sorted(best.values(), key=lambda i: -alike[row, i])[:3]
        if len(near) > 1:
            found.append((float(alike[row, near[0]] - alike[row, near[1]]), row, near))
    asked_for: set[frozenset[int]] = set()  # whoever is most alike to another has been answered, the other way round
    for margin, row, near in sorted(found, reverse=True):
        pair = frozenset((row, near[0]))
        if margin > CLEAR and pair not in asked_for:
            yield nearest(view, alike, margin, row, near)
            asked_for.add(pair)


def nearest(view: OverviewView, alike: np.ndarray, margin: float, row: int, near: list[int]) -> Question:
    """alike [token, token] after all layers"""
    first, second = near[:2]
    facts = {
        "row": named(view.tokens, row),
        "layers": view.layers,
        "near": named(view.tokens, first),
        "near_cosine": float(alike[row, first]),
        "second": named(view.tokens, second),
        "second_cosine": float(alike[row, second]),
        "start": float(view.cosines(row, first)[0]),
    }
    choices = tuple(Choice(str(i), named(view.tokens, i)) for i in sorted(near))
    return Question("most_alike", choices, str(first), margin, row, facts)
