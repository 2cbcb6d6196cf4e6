"""Do the heads of a layer look at the same token?"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from ..text.token import named
from ..views.heads import HeadsView
from .question import Choice, Question, words

UNDECIDED = 0.02  # a head whose two best keys are nearer than this to each other might be counted either way


def each(view: HeadsView, layer: int, text: str) -> Iterator[Question]:
    """At how many different tokens do the heads of one layer (from 0) look most, seen from {t}? Of every word whose
    answer stands clear."""
    if view.weights is None or view.heads < 4 or len(view.keys) < 5:
        return
    asked, (few, many) = [], limits(view.heads)
    for row in words(view.tokens, view.special):
        if view.kind in ("self", "causal") and row + 1 < many:
            continue  # under the mask it sees too few keys for every answer
        weights = view.weights[layer, :, row]  # head, key
        low, high = counted(weights)
        bins = {0 if n <= few else 1 if n < many else 2 for n in range(low, high + 1)}
        if len(bins) == 1:
            asked.append((row, bins.pop(), weights))
    if not asked:
        return
    kinds = sorted({kind for _, kind, _ in asked})
    wanted = kinds[crc32(text.encode()) % len(kinds)]  # not always the same answer
    for row, kind, weights in sorted(asked, key=lambda one: one[1] != wanted):
        yield question(view, layer, row, kind, weights)


def question(view: HeadsView, layer: int, row: int, kind: int, weights: np.ndarray) -> Question:
    """weights [head, key] of this row"""
    few, many = limits(view.heads)
    best = np.bincount(weights.argmax(-1), minlength=len(view.keys))
    facts = {
        "token": named(view.tokens, row),
        "layer": layer + 1,
        "heads": view.heads,
        "few": few,
        "between": str(many - 1) if many - few == 2 else f"{few + 1}–{many - 1}",
        "many": many,
        "count": int((best > 0).sum()),
        "most": named(view.key_tokens, int(best.argmax())),
        "by": int(best.max()),
    }
    ids = ("one" if few == 1 else "few", "some", "all" if many == view.heads else "many")
    return Question("different", tuple(map(Choice, ids)), ids[kind], UNDECIDED, row, facts)


def limits(heads: int) -> tuple[int, int]:
    """Up to how many different tokens are few, and from how many on they are many.

    >>> limits(12), limits(4)
    ((1, 5), (2, 4))
    """
    return (1, 5) if heads > 6 else (2, 4)


def counted(weights: np.ndarray) -> tuple[int, int]:
    """The fewest and the most different keys that the heads look at most, if undecided heads may go either way.

    weights [head, key]
    """
    second, best = np.sort(weights, axis=-1)[:, -2:].T
    sure = best - second >= UNDECIDED
    low = len(set(weights[sure].argmax(-1).tolist()))
    return max(1, low), max(1, low + int((~sure).sum()))
