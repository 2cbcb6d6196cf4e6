"""At which token does the head look that adds most? And what adds most of all: a head or a network, early or late?"""

import zlib

import numpy as np

from ..ranking import largest as largest_of
from ..text.token import named
from ..views.circuits import CircuitsView
from .question import CLEAR, Choice, Question, keys

KINDS = ("head_early", "head_late", "feedforward_early", "feedforward_late")


def each(view: CircuitsView, text: str) -> list[Question]:
    """Those that are clear; the sentence's own letters say which comes first."""
    found = [question for question in (looks(view), largest(view)) if question]
    first = zlib.crc32(text.encode()) % max(1, len(found))
    return found[first:] + found[:first]


def looks(view: CircuitsView) -> Question | None:
    """The token to which the head that adds most gives most of its weight."""
    weights = view.looks(view.found.parts[view.first_head])
    texts = tuple(token.text for token in view.tokens[: view.found.token + 1])
    row = weights[: len(texts)]
    offered = keys(texts, row)
    best, second = largest_of(row, 2) if len(row) > 1 else (0, 0)
    margin = float(row[best] - row[second])
    if len(offered) < 2 or margin < CLEAR or texts.count(texts[best]) > 1:
        return None
    facts = {"best": named(texts, int(best)), "word_id": str(view.found.word)}
    return Question("looks", offered, str(int(best)), margin, view.found.token, facts)


def largest(view: CircuitsView) -> Question | None:
    """What the part is that adds most."""
    most: dict[str, float] = dict.fromkeys(KINDS, -np.inf)
    for part, value in zip(view.found.parts, view.found.values, strict=True):
        if part.kind in ("head", "feedforward") and part.layer is not None:
            kind = f"{part.kind}_{'early' if 2 * part.layer < view.layers else 'late'}"
            most[kind] = max(most[kind], float(value))
    best, second = sorted(most, key=lambda kind: -most[kind])[:2]
    margin = most[best] - most[second]
    if margin < CLEAR:
        return None
    facts = {"half": str(-(-view.layers // 2)), "layers": str(view.layers), "after": str(-(-view.layers // 2) + 1)}
    return Question("largest", tuple(map(Choice, KINDS)), best, float(margin), view.found.token, facts)
