"""At which token does the head look that adds most? And in which layers does the part stand that adds most of all?"""

import zlib
from itertools import pairwise

import numpy as np

from ..ranking import largest as largest_of
from ..text.token import named
from ..views.circuits import CircuitsView
from .question import CLEAR, Choice, Question, keys

ASKED = ("head", "feedforward")  # kinds of part
THIRDS = ("early", "middle", "late")


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
    """In which third of the layers the part stands that adds most; its kind is said, a head or a network."""
    parts, values = view.found.parts, view.found.values
    part = parts[int(values.argmax())]
    spans = thirds(view.layers)
    if part.kind not in ASKED or part.layer is None or len(spans) < 2:
        return None
    most = [max(float(values[i]) for i in view.of_kind(part.kind) if parts[i].layer in span) for span in spans]
    best, second = largest_of(np.array(most), 2)
    margin = most[best] - most[second]
    if margin < CLEAR:
        return None
    offered = tuple(map(Choice, THIRDS[: len(spans)]))
    facts = {"kind": part.kind, "layers": str(view.layers)}
    for name, span in zip(THIRDS, spans, strict=False):
        first, last = span[0] + 1, span[-1] + 1
        facts[name] = str(last) if first == last else f"{first}–{last}"
    return Question("largest", offered, offered[best].id, float(margin), view.found.token, facts)


def thirds(layers: int) -> list[range]:
    """The layers in three spans, the last no longer than the others.

    >>> thirds(5)
    [range(0, 2), range(2, 4), range(4, 5)]
    """
    edges = [-(-layers * i // 3) for i in range(4)]
    return [range(low, high) for low, high in pairwise(edges) if low < high]
