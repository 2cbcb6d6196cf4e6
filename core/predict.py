"""Questions made from the visitor's own sentence: view -> a question whose answer stands clear, or none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.views.attention import AttentionView

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
            "token": view.tokens[row],
            "best": view.tokens[best],
            "best_weight": float(weights[row, best]),
            "second": view.tokens[second],
            "second_weight": float(weights[row, second]),
        }
        options = tuple(Choice(str(k), named(view.tokens, k)) for k in choices)
        return Question("most_looked_at", options, str(best), margin, row, facts)
    return None


def asked_rows(tokens: tuple[str, ...], special: tuple[bool, ...], weights: np.ndarray) -> list[int]:
    """The rows to try: the last repeated word's, then the one whose best leads most. Specials are not asked about."""
    words = [i for i, token in enumerate(tokens) if not special[i] and any(c.isalnum() for c in token)]
    if len(tokens) < 3 or not words:
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


def named(tokens: tuple[str, ...], index: int) -> str:
    """A token's text, with its position where the sentence has it twice."""
    return tokens[index] if tokens.count(tokens[index]) == 1 else f"{tokens[index]} ({index})"
