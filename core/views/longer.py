"""A text that is longer than a row may be: cut, read in windows, or read in parts with a memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..capture import Capture
from ..edits import Edit, apart, restart_positions
from ..text.token import Token
from ..zoo import Model
from .batch import last_states
from .vectors import cosine

PARTS = 12  # that are read, at most
WAYS = ("windows", "memory", "whole")  # each part by itself; with the states of the part before; all of them as one row
INSTEAD = (
    "[MASK]",
    "[UNK]",
    "[PAD]",
)  # what takes a token's place: the first that the vocabulary has and that is another


@dataclass(frozen=True)
class Cut:
    """What a row of at most so many tokens keeps of a text.

    Attributes:
        tokens: the row that is left.
        whole: how many tokens there would be.
        at: the character where what is lost begins; None where nothing is.
        torn: the word that lost some of its pieces and kept others; None where there is none.
        alike: the cosine of the mean of the row's last vectors with that of the longest row the model can read.
    """

    tokens: tuple[Token, ...]
    whole: int
    at: int | None
    torn: str | None
    alike: float

    @property
    def nbytes(self) -> int:
        return 300 * len(self.tokens)


@dataclass(frozen=True, eq=False)
class Whole:
    """The longest row of a text that the model can read, and the same with its first typed token exchanged.

    Attributes:
        row: its tokens; other: with the other token.
        at: where the two differ.
        states: [2, token, d_model], the last vectors of both.
    """

    row: tuple[Token, ...]
    other: tuple[Token, ...]
    at: int
    states: np.ndarray

    @property
    def nbytes(self) -> int:
        return 600 * len(self.row) + self.states.nbytes


def whole(model: Model, text: str) -> Whole:
    row = model.tokenizer.encode(text, max_tokens=model.config.positions)
    at = next((i for i, token in enumerate(row) if not token.special), 0)
    specials = model.tokenizer.specials
    piece = next(p for p in (*INSTEAD, *specials) if p in specials and p != row[at].text)
    other = (*row[:at], replace(row[at], text=piece, id=model.tokenizer.id_of(piece)), *row[at + 1 :])
    return Whole(row, other, at, np.stack([last_states(model, row), last_states(model, other)]))


def cut(model: Model, text: str, most: int, longest: Whole) -> Cut:
    """A text cut at `most` tokens, beside the longest row of it."""
    trace = model.tokenizer.trace(text, max_tokens=most)
    kept, tokens = trace.cuts[0].kept, trace.texts[0].tokens
    torn = None
    if 0 < kept < len(tokens) and tokens[kept].word is not None and tokens[kept - 1].word == tokens[kept].word:
        cut = [token for token in tokens if token.word == tokens[kept].word]
        torn = text[cut[0].start : cut[-1].end].strip()
    alike = float(cosine(last_states(model, trace.tokens).mean(0), longest.states[0].mean(0)))
    return Cut(trace.tokens, len(trace.tokens) + trace.truncated, trace.cuts[0].offset, torn, alike)


@dataclass(frozen=True, eq=False)
class Parts:
    """A text in parts, and how far each part's last vectors move when the first token that was typed is another.

    Attributes:
        parts: the tokens of each part.
        replaced: the token that was exchanged, and for what.
        moved: [way, token], the largest difference of a number of each vector, in the three WAYS.
    """

    parts: tuple[tuple[Token, ...], ...]
    replaced: tuple[str, str]
    moved: np.ndarray

    @property
    def nbytes(self) -> int:
        return 300 * sum(map(len, self.parts)) + self.moved.nbytes

    def farthest(self, way: str) -> tuple[int, ...]:
        """Of each part, the token that moved most."""
        moved, starts = self.moved[WAYS.index(way)], np.cumsum([0, *map(len, self.parts)])
        return tuple(int(a + moved[a:b].argmax()) for a, b in pairwise(starts))

    def most(self, way: str) -> tuple[float, ...]:
        """Of each part, by how much."""
        return tuple(float(self.moved[WAYS.index(way), token]) for token in self.farthest(way))


def in_parts(model: Model, longest: Whole, most: int) -> Parts:
    """The row's tokens in parts of `most`, PARTS of them at most; special tokens stand at its two ends only."""
    row = longest.row[: most * PARTS]
    readings = [in_both_ways(model, each[: most * PARTS], most) for each in (longest.row, longest.other)]
    whole = longest.states[:, : len(row)]
    moved = np.abs(np.stack([*(readings[0] - readings[1]), whole[0] - whole[1]])).max(-1)
    replaced = longest.row[longest.at].text, longest.other[longest.at].text
    return Parts(tuple(row[start : start + most] for start in range(0, len(row), most)), replaced, moved)


def in_both_ways(model: Model, row: Sequence[Token], most: int) -> np.ndarray:
    """The last vectors of a row in parts, as windows and with a memory: [2, token, d_model].

    Read by itself or with others: what is the same on the way in is the same, to the last bit, on the way out.
    """
    from ..model.taps import editing

    ways = []
    for reach in (0, 1):
        with editing(read_in_parts(model, most, reach)):
            ways.append(last_states(model, row))
    return np.stack(ways)


def spread(model: Model, first: Capture, second: Capture) -> np.ndarray:
    """[depth, token]: the largest difference of a number of each vector, on its way through the layers, between two
    runs whose texts differ in one token."""
    return np.stack([np.abs(first[tap] - second[tap]).max(-1) for tap in model.depths()])


def read_in_parts(model: Model, most: int, reach: int) -> tuple[Edit, ...]:
    """What makes parts of one row: each sees `reach` parts before it; where positions are added at the entrance, each
    part counts them from 0."""
    return tuple(edit for edit in (restart_positions(most), apart(most, reach)) if edit.finds(model.tap_dims))
