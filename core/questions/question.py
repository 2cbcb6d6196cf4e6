"""What every question is made of, and the rows that are worth asking about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..ranking import largest
from ..text.token import named

CLEAR = 0.15  # by how much the best answer must lead
MOST = 8  # questions of one sentence


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


def some(questions: Iterable[Question | None]) -> tuple[Question, ...]:
    """The questions of a sentence, in the order in which they are asked: no more than `MOST`, and no row twice in the
    same words."""
    found: dict[tuple[str, int], Question] = {}
    for question in questions:
        if question is not None:
            found.setdefault((question.template, question.row), question)
        if len(found) == MOST:
            break
    return tuple(found.values())


def words(tokens: Sequence[str], special: Sequence[bool]) -> list[int]:
    """The tokens to ask about: those that somebody typed and that are no mere punctuation."""
    return [i for i, token in enumerate(tokens) if not special[i] and any(c.isalnum() for c in token)]


def repeated(among: Sequence[int], names: Sequence[object]) -> list[int]:
    """Those of the tokens `among` whose name, a text or an id, stands before them too."""
    return [i for i in among if names[i] in names[:i]]


def looked_at(tokens: tuple[str, ...], row: np.ndarray) -> dict[str, float | str]:
    """The two keys that a row looks at most, and their weights."""
    best, second = largest(row, 2)
    return {
        "best": named(tokens, best),
        "best_weight": float(row[best]),
        "second": named(tokens, second),
        "second_weight": float(row[second]),
    }


def keys(tokens: tuple[str, ...], row: np.ndarray) -> tuple[Choice, ...]:
    """The keys to choose from."""
    return tuple(Choice(str(k), named(tokens, k)) for k in contenders(tokens, row))


def contenders(tokens: tuple[str, ...], row: np.ndarray) -> list[int]:
    """The best key and the two best others with names of their own, in the order of the sentence."""
    chosen: list[int] = []
    for k in np.argsort(-row, kind="stable"):
        if tokens[k] not in [tokens[c] for c in chosen]:
            chosen.append(int(k))
        if len(chosen) == 3:
            break
    return sorted(chosen)
