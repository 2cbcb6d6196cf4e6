"""Questions made from the visitor's own sentence: view -> a question whose answer stands clear, or none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.text.token import named
from core.views.attention import AttentionView
from core.views.embedding import EmbeddingView
from core.views.overview import OverviewView
from core.views.tokens import TokensView

CLEAR = 0.15  # by how much the best answer must lead


@dataclass(frozen=True)
class Choice:
    """One answer. `token` is its label where the answer is a token; otherwise pages find words by its id."""

    id: str
    token: str | None = None


@dataclass(frozen=True)
class Question:
    """A question and its answer. `row` is the token it asks about, whose row is veiled until it is answered."""

    template: str
    choices: tuple[Choice, ...]
    answer: str
    margin: float
    row: int
    facts: Mapping[str, float | str] = field(default_factory=dict)


def most_looked_at(view: AttentionView, head: int) -> Question | None:
    """Which token does {t} look at most in this head? For the last repeated token, else the clearest row."""
    weights = view.weights[head]
    for row in asked_rows(view.tokens, view.special, weights):
        best, second = np.argsort(-weights[row], kind="stable")[:2]
        margin = float(weights[row, best] - weights[row, second])
        if margin < CLEAR:
            continue
        choices = contenders(view.tokens, weights[row])
        facts = {
            "token": named(view.tokens, row),
            "best": named(view.tokens, best),
            "best_weight": float(weights[row, best]),
            "second": named(view.tokens, second),
            "second_weight": float(weights[row, second]),
        }
        options = tuple(Choice(str(k), named(view.tokens, k)) for k in choices)
        return Question("most_looked_at", options, str(best), margin, row, facts)
    return None


def asked_rows(tokens: tuple[str, ...], special: tuple[bool, ...], weights: np.ndarray) -> list[int]:
    """The rows to try: the last repeated word's, then the one whose best leads most. Specials are not asked about."""
    words = [i for i, token in enumerate(tokens) if not special[i] and any(c.isalnum() for c in token)]
    if len(tokens) < 4 or not words:  # two tokens of the sentence's own, or there is nobody to look at
        return []
    repeated = [i for i in words if tokens.index(tokens[i]) < i]
    top = np.sort(weights, axis=-1)
    clearest = max(words, key=lambda i: float(top[i, -1] - top[i, -2]))
    return [*repeated[-1:], clearest]


def contenders(tokens: tuple[str, ...], row: np.ndarray) -> list[int]:
    """The best key and the two best others with names of their own, in the order of the sentence."""
    chosen: list[int] = []
    for k in np.argsort(-row, kind="stable"):
        if tokens[k] not in [tokens[c] for c in chosen]:
            chosen.append(int(k))
        if len(chosen) == 3:
            break
    return sorted(chosen)


EQUAL = 1 - 1e-4  # a cosine from here on: the same vector, but for rounding


def after_layer(view: OverviewView, layer: int, stranger: tuple[float, float]) -> Question | None:
    """After layer n: are the two {t} still equal, alike, strangers? Only where the sentence has a word twice.

    `stranger` is mean and standard deviation of the cosine of random rows; up to two deviations above the mean
    counts as strangers.
    """
    a, b = view.pair()
    if view.ids[a] != view.ids[b] or view.special[a]:
        return None
    depth = next(i for i, depth in enumerate(view.depths) if depth.number == layer)
    cosines = view.cosines(a, b)
    border = stranger[0] + 2 * stranger[1]
    cosine = float(cosines[depth])
    margin = min(abs(cosine - border), abs(EQUAL - cosine)) if cosine < EQUAL else 1.0
    if margin < CLEAR:
        return None
    answer = "equal" if cosine >= EQUAL else "alike" if cosine > border else "strangers"
    facts = {
        "first": named(view.tokens, a),
        "second": named(view.tokens, b),
        "layer": layer,
        "cosine": cosine,
        "start": float(cosines[0]),
        "border": border,
    }
    return Question(
        "after_layer", tuple(Choice(id) for id in ("equal", "alike", "strangers")), answer, margin, b, facts
    )


LONG_WORD = 10  # from so many characters on, that a word stays whole is worth asking


def pieces_of_word(view: TokensView) -> Question | None:
    """How many pieces does {word} become? About the word the page opens on: one that is cut, or long and whole."""
    asked = view.opening()
    unit = view.units[asked]
    if unit.kind != "word" or unit.unknown or (unit.pieces == 1 and len(unit.text) < LONG_WORD):
        return None
    count = unit.pieces
    choices = tuple(Choice(str(n), str(n)) for n in numbers_near(count, unit.text))
    facts = {
        "word": unit.text,
        "characters": unit.end - unit.start,
        "count": count,
        "pieces": " ".join(t.text for t in unit.tokens),
    }
    return Question("pieces_of_word", choices, str(count), 1.0, asked, facts)


def numbers_near(count: int, word: str) -> list[int]:
    """Up to four numbers of pieces to choose from: one, the right one, as many as the ear hears, and a neighbour."""
    heard = len(re.findall("[aeiouy]+", word))
    wanted = dict.fromkeys([count, 1, heard, count + 1, count - 1, count + 2])
    return sorted([n for n in wanted if 1 <= n <= len(word)][:4])


def after_lookup(view: EmbeddingView) -> Question | None:
    """The two {t}: the same vector after the lookup? Where no word repeats: which of two rows is nearer?"""
    words = [i for i, token in enumerate(view.tokens) if not view.special[i] and any(c.isalnum() for c in token)]
    repeated = [i for i in words if view.ids[i] in view.ids[:i]]
    return same_row(view, repeated[-1]) if repeated else nearer_row(view, words)


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


def nearer_row(view: EmbeddingView, words: list[int]) -> Question | None:
    """The word, and the two others, between which the difference of the cosines is greatest."""
    best = (CLEAR, -1, -1, -1)
    for row in words:
        others = [i for i in words if view.ids[i] != view.ids[row]]
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
