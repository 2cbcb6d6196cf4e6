"""A text that is longer than a row may be: cut, read in windows, or read in parts with a memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.text.token import Token
from core.views.batch import last_states
from core.views.vectors import cosine
from core.zoo import Model

PARTS = 12  # that are read, at most
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
    piece = next(p for p in INSTEAD if p in model.tokenizer.specials and p != row[at].text)
    other = (*row[:at], replace(row[at], text=piece, id=model.tokenizer.id_of(piece)), *row[at + 1 :])
    return Whole(row, other, at, np.stack([last_states(model, row), last_states(model, other)]))


def cut(model: Model, text: str, most: int, longest: Whole) -> Cut:
    """A text cut at `most` tokens, beside the longest row of it."""
    trace = model.tokenizer.trace(text, max_tokens=most)
    kept, tokens = trace.cuts[0].kept, trace.texts[0].tokens
    torn = None
    if 0 < kept < len(tokens) and tokens[kept].word is not None and tokens[kept - 1].word == tokens[kept].word:
        torn = next(word.text for word in trace.texts[0].words if word.index == tokens[kept].word)
    alike = float(cosine(last_states(model, trace.tokens).mean(0), longest.states[0].mean(0)))
    return Cut(trace.tokens, len(trace.tokens) + trace.truncated, trace.cuts[0].offset, torn, alike)


@dataclass(frozen=True, eq=False)
class Parts:
    """A text in parts, and how far each part's last vectors move when the first token that was typed is another.

    Attributes:
        parts: the tokens of each part.
        replaced: the token that was exchanged, and for what.
        windows: of each part, the largest difference of a number where each is read by itself;
        memory: where each sees the states of the part before;
        whole: where all of them are one row.
    """

    parts: tuple[tuple[Token, ...], ...]
    replaced: tuple[str, str]
    windows: tuple[float, ...]
    memory: tuple[float, ...]
    whole: tuple[float, ...]

    @property
    def nbytes(self) -> int:
        return 300 * sum(map(len, self.parts))


def in_parts(model: Model, longest: Whole, most: int) -> Parts:
    """The row's tokens in parts of `most`, PARTS of them at most; special tokens stand at its two ends only."""
    row = longest.row[: most * PARTS]
    readings = [in_both_ways(model, each[: most * PARTS], most) for each in (longest.row, longest.other)]
    moved = np.abs(readings[0] - readings[1]).max(-1)  # [way, token]
    whole = np.abs(longest.states[0] - longest.states[1]).max(-1)
    starts = range(0, len(row), most)
    windows, memory, whole = (
        tuple(float(of[s : s + most].max()) for s in starts) for of in (*moved, whole[: len(row)])
    )
    replaced = longest.row[longest.at].text, longest.other[longest.at].text
    return Parts(tuple(row[s : s + most] for s in starts), replaced, windows, memory, whole)


def in_both_ways(model: Model, row: Sequence[Token], most: int) -> np.ndarray:
    """The last vectors of a row in parts, as windows and with a memory: [2, token, d_model].

    Each part counts its positions from 0. Read by itself or with others: what is the same on the way in is the same,
    to the last bit, on the way out.
    """
    import torch

    from core.lessons.recurrence import parts_apart

    ids = torch.tensor([[token.id for token in row]])
    embedding = model.parts["embedding"]
    with torch.no_grad():
        parts = [
            embedding(part) if model.words else embedding(part, torch.zeros_like(part)) for part in ids.split(most, 1)
        ]
        x = torch.cat(parts, dim=1).expand(2, -1, -1)  # way, n, d_model
        ways = torch.cat([parts_apart(len(row), most, reach=0), parts_apart(len(row), most, reach=1)])
        return model.network.encoder(x, ways).numpy()  # type: ignore[operator]
