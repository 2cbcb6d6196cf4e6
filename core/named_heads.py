"""What some attention heads do on most everyday sentences, and how far that holds for one sentence.

previous   every token looks at the one before
next       every token looks at the one after
noun       a determiner looks at its noun
same       a repeated content word looks at its double; "the" and the like do not
pieces     a piece of a word (##ization) looks at the other pieces of it
sink       nearly everyone looks at [CLS]
uniform    everyone looks nearly evenly at everything

tests/core/test_named_heads.py measures each claim, on sentences that were not chosen for it.
"""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from .lesson import lesson_of
from .text.token import Token


@cache
def known(model: str, also: str = "") -> Mapping[tuple[int, int], str]:
    """(layer, head) -> what it is known for, both counted from 1, as people count them: `[stages.heads.known]` of a
    model's lesson, and there `also` another table."""
    own = lesson_of(model).stages.get("heads", {})
    found = {**own.get("known", {}), **own.get(also, {})}
    return {(int(layer), int(head)): name for place, name in found.items() for layer, _, head in [place.partition(".")]}


DETERMINERS = frozenset(("the", "a", "an", "my", "your", "his", "her", "its", "our", "their", "this", "these", "those"))
SMALL = DETERMINERS.union(
    (
        "that",
        "and",
        "or",
        "but",
        "of",
        "at",
        "in",
        "on",
        "by",
        "with",
        "for",
        "from",
        "to",
        "as",
        "than",
        "so",
        "other",
    ),
    ("is", "are", "was", "were", "be", "been", "it", "he", "she", "they", "we", "i", "you"),
)
NOUN_WITHIN = 3  # tokens after a determiner
EVEN = 0.85  # entropy of a row, of the largest there can be


def rows(name: str, tokens: Sequence[Token]) -> list[int]:
    """The rows of a sentence that a head's name says something about."""
    texts = [token.text for token in tokens]
    about = {
        "previous": lambda i: i > 0,
        "next": lambda i: i < len(tokens) - 1,
        "noun": lambda i: texts[i] in DETERMINERS and begins_noun(texts[i + 1 : i + 2]),
        "same": lambda i: texts.count(texts[i]) > 1 and texts[i].isalnum() and texts[i] not in SMALL,
        "pieces": lambda i: texts[i].startswith("##") and bool(others(name, tokens, i)),
        "sink": lambda i: True,
        "uniform": lambda i: len(tokens) > 1,
    }[name]
    return [i for i in range(len(tokens)) if about(i)]


def begins_noun(after: Sequence[str]) -> bool:
    """Whether a determiner may be one here: “her”, “his” and “this” also stand alone, before no word, as in "help
    her.", or before one that begins no noun, as in "this is his". “That” mostly begins a clause and is left out.
    """
    return any(text.isalnum() and (text == "other" or text not in SMALL) for text in after)


def holds(name: str, tokens: Sequence[Token], weights: np.ndarray, row: int) -> bool:
    """Whether this row does what the head is named for: it looks most where the name says; of "uniform", evenly.

    weights [query, key] of the head. Where a noun stands nobody here can tell: one of the next few tokens will do.
    """
    if name == "uniform":
        p = weights[row]
        return float(-(p * np.log(np.where(p > 0, p, 1))).sum()) >= EVEN * np.log(len(p))
    return int(weights[row].argmax()) in others(name, tokens, row)


def others(name: str, tokens: Sequence[Token], row: int) -> list[int]:
    """Where a row looks if it does what the head is named for."""
    token = tokens[row]
    if name == "same":
        return [i for i, other in enumerate(tokens) if other.text == token.text and i != row]
    if name == "pieces":
        return [i for i, other in enumerate(tokens) if other.word == token.word and not other.special and i != row]
    after = list(range(row + 1, min(row + 1 + NOUN_WITHIN, len(tokens))))
    return {"previous": [row - 1], "next": [row + 1], "noun": after, "sink": [0]}[name]
