"""Which character does this word look at when it is written?"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..views.translation import TranslationView
from .question import CLEAR, Question, keys, looked_at


def each(
    view: TranslationView, layer: int, head: int, content: Sequence[bool], aligned: Sequence[Sequence[int]]
) -> Iterator[Question]:
    """Which character does {word} look at when it is written? Layer and head from 0.

    Asked about words with `content`. `aligned` says which characters each word renders, where that is known. A word
    that looks elsewhere than there comes first; else the one that stands farthest behind what it looks at.
    """
    weights, tokens = view.cross[layer, head], tuple(token.text for token in view.source)
    best = weights.argmax(-1)
    lead = np.sort(weights, axis=-1)
    rows = [
        row
        for row in range(min(len(content), len(view.written)))
        if content[row] and len(tokens) > 3 and lead[row, -1] - lead[row, -2] >= 2 * CLEAR
    ]
    elsewhere = [row for row in rows if row < len(aligned) and aligned[row] and best[row] not in aligned[row]]
    for row in sorted(rows, key=lambda row: (row in elsewhere, row - int(best[row]), row), reverse=True):
        yield question(view, weights, row, aligned[row] if row < len(aligned) else (), row in elsewhere)


def question(view: TranslationView, weights: np.ndarray, row: int, places: Sequence[int], elsewhere: bool) -> Question:
    """weights [target, source]; `places` are the characters it renders. Where it looks at one of them the others are
    not offered: nobody could tell which."""
    tokens, best = tuple(token.text for token in view.source), int(weights[row].argmax())
    lead = np.sort(weights[row])
    own = "".join(tokens[i] for i in places) if elsewhere else ""
    offered = weights[row].copy()
    if not elsewhere:
        offered[[i for i in places if i != best]] = -1
    facts = {"word": view.written[row].text, "own": own, **looked_at(tokens, weights[row])}
    margin = float(lead[-1] - lead[-2])
    template = "looked_elsewhere_to_write" if own else "looked_at_to_write"
    return Question(template, keys(tokens, offered), str(best), margin, row, facts)
