"""Read through the same table after the first layer: does the word that will be written already lead?"""

import zlib
from collections.abc import Sequence

import numpy as np

from ..ranking import largest
from ..views.output import OutputView
from .question import CLEAR, Choice, Question

FEW = 10  # places that count as near the front
OFFERED = 400  # of the likeliest, from which other answers are taken
PLACES = (0, 1, 9, 39)  # of those that are words: the answer, the second, and two far behind
BEYOND = 3  # by how many places a rank must be on its side of that


def each(view: OutputView, text: str) -> list[Question]:
    """Of each written word whose answer is clear: the one that the sentence's own letters choose first, the others
    after it in their order."""
    if len(view.whole) == 1:
        return [found] if (found := comes_next(view)) else []
    if len(view.whole) < 3 or not view.written:
        return []
    clear = [found for row in range(len(view.written)) if (found := asked(view, row))]
    first = zlib.crc32(text.encode()) % max(1, len(clear))
    return clear[first:] + clear[:first]


def comes_next(view: OutputView) -> Question | None:
    """What comes after the whole text? Its likeliest, beside words that are further back; asked where it leads."""
    row = len(view.given) - 1
    chosen, lead = next_offered(view.likely[row], view.names)
    if not chosen:
        return None
    shares = {f"share_{i}": float(view.likely[row, id]) for i, id in enumerate(chosen)}
    texts = {f"word_{i}": view.names[id] for i, id in enumerate(chosen)}
    order_shown = sorted(chosen, key=lambda id: (view.names[id].strip("␣ ").casefold(), id))
    choices = tuple(Choice(str(id), view.names[id]) for id in order_shown)
    facts = {"given": view.given[row].text, **shares, **texts}
    return Question("comes_next", choices, str(chosen[0]), lead, row, facts)


def next_offered(likely: np.ndarray, names: Sequence[str]) -> tuple[list[int], float]:
    """The tokens to choose from, the likeliest first, and by how much it leads; none where it leads too little, or is
    no word. `likely` float32 [vocab]; `names` are the tokens'."""
    order = largest(likely, OFFERED).tolist()
    ids = [id for id in order if any(map(str.isalnum, names[id]))]
    chosen = [ids[at] for at in PLACES if at < len(ids)]
    lead = float(likely[order[0]] - likely[order[1]])
    clear = lead >= CLEAR and len(chosen) == len(PLACES) and chosen[0] == order[0]
    return (chosen if clear else []), lead


def asked(view: OutputView, row: int) -> Question | None:
    token, depth = view.written[row], view.at(1)
    logits, last = view.logits(depth, row), len(view.depths) - 1
    if token.special or view.best(last, row) != token.id:
        return None
    rank, ordered = view.rank(depth, row, token.id), sorted(logits, reverse=True)
    lead = float(ordered[0] - ordered[1])
    near = abs(rank - FEW) < BEYOND
    if near or lead < CLEAR:
        return None
    answer = "first" if rank == 1 else "near" if rank <= FEW else "far"
    best = view.best(depth, row)
    facts = {
        "word": token.text,
        "word_id": str(token.id),
        "given": view.given[row].text,
        "rank": str(rank),
        "share": float(view.shares(depth, row)[token.id]),
        "best_id": str(best),
        "layers": str(len(view.whole) - 1),
        "end": float(view.shares(last, row)[token.id]),
    }
    template = "already_first" if rank == 1 else "already"  # they ask the same
    return Question(template, tuple(map(Choice, ("first", "near", "far"))), answer, lead, row, facts)
