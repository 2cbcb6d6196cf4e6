"""Which writes more onto a token's stream in a layer: attention, or the feed-forward network?"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from ..text.token import named
from ..views.encoder import EncoderView
from .question import Choice, Question, words

CLEARLY = 1.25  # by how many times the larger share must be the other's
PARTS = ("attention", "feedforward")


@dataclass(frozen=True)
class Case:
    """A token in a layer (from 1), with the share each part writes."""

    row: int
    layer: int
    shares: tuple[float, float]

    @property
    def ratio(self) -> float:
        return max(self.shares) / max(min(self.shares), 1e-12)

    @property
    def answer(self) -> str:
        return PARTS[self.shares[1] > self.shares[0]]


def each(view: EncoderView, text: str) -> Iterator[Question]:
    """Which of the two sub-layers writes more? Of the first layer, or where nothing is clear there, of the next; now
    with one answer and now with the other, beginning with the one that the letters of the text choose."""
    tokens = tuple(token.text for token in view.tokens)
    rows = words(tokens, [token.special for token in view.tokens])
    clear = [case for case in cases(view, rows) if case.ratio >= CLEARLY]
    wanted = PARTS[zlib.crc32(text.encode()) % 2]
    wanting = [case for case in clear if case.answer == wanted]
    others = [case for case in clear if case.answer != wanted]
    turns = (case for pair in zip_longest(wanting, others) for case in pair if case)
    for case in turns:
        facts = {
            "token": named(tokens, case.row),
            "layer": str(case.layer),
            "attention_share": case.shares[0],
            "feedforward_share": case.shares[1],
        }
        yield Question("writes_more", tuple(map(Choice, PARTS)), case.answer, case.ratio, case.row, facts)


def cases(view: EncoderView, rows: list[int]) -> list[Case]:
    found, reader = [], view.sublayers[0].place.stack
    for layer in range(1, view.layers + 1):
        shares = [view.at(reader, layer, part).share for part in PARTS]
        found += [Case(row, layer, (float(shares[0][row]), float(shares[1][row]))) for row in rows]
    return found
