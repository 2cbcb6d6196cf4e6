"""A text that is longer than a row may be: cut, read in windows, or read in parts with a memory."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.text.token import Token
from core.views.batch import last_states, read
from core.views.vectors import cosine
from core.zoo import Model

if TYPE_CHECKING:
    from torch import Tensor

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


def cut(model: Model, text: str, most: int) -> Cut:
    """A text cut at `most` tokens."""
    trace = model.tokenizer.trace(text, max_tokens=most)
    longest = model.tokenizer.encode(text, max_tokens=model.config.positions)
    kept, tokens = trace.cuts[0].kept, trace.texts[0].tokens
    torn = None
    if 0 < kept < len(tokens) and tokens[kept].word is not None and tokens[kept - 1].word == tokens[kept].word:
        torn = next(word.text for word in trace.texts[0].words if word.index == tokens[kept].word)
    means = [last_states(model, row).mean(0) for row in (trace.tokens, longest)]
    return Cut(trace.tokens, len(trace.tokens) + trace.truncated, trace.cuts[0].offset, torn, float(cosine(*means)))


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


def in_parts(model: Model, text: str, most: int) -> Parts:
    """The text's tokens in parts of `most`, PARTS of them at most; special tokens stand at its two ends only.

    Every reading is made of both texts at once, the one typed and the one with another token.
    """
    import torch

    row = model.tokenizer.encode(text, max_tokens=min(model.config.positions, most * PARTS))
    at = next((i for i, token in enumerate(row) if not token.special), 0)
    piece = next(p for p in INSTEAD if p in model.tokenizer.specials and p != row[at].text)
    other = replace(row[at], text=piece, id=model.tokenizer.id_of(piece))
    ids = torch.tensor([[token.id for token in each] for each in (row, (*row[:at], other, *row[at + 1 :]))])
    parts = ids.split(most, dim=1)
    whole = alone(model, ids)
    return Parts(
        tuple(row[start : start + most] for start in range(0, len(row), most)),
        (row[at].text, piece),
        tuple(apart(each) for each in windows(model, parts)),
        tuple(apart(each) for each in with_memory(model, parts)),
        tuple(apart(each) for each in np.split(whole, range(most, len(row), most), axis=1)),
    )


def apart(both: np.ndarray) -> float:
    """The largest difference between two readings [2, token, d_model]."""
    return float(np.abs(both[0] - both[1]).max())


def alone(model: Model, ids: "Tensor") -> np.ndarray:
    """Rows of ids [row, token] that know nothing of one another -> their last states [row, token, d_model]."""
    nothing = ids.new_zeros(ids.shape)
    return read(model, ids, nothing, nothing.bool())


def windows(model: Model, parts: "tuple[Tensor, ...]") -> list[np.ndarray]:
    """The last states of each part [2, n], read by itself. Those of one length are read together."""
    import torch

    *full, last = parts
    read = list(np.split(alone(model, torch.cat(full)), len(full))) if full else []
    return [*read, alone(model, last)]


def with_memory(model: Model, parts: "tuple[Tensor, ...]") -> list[np.ndarray]:
    """The last states of each part [2, n], read one after the other with a memory of the part before."""
    import torch

    from core.lessons.recurrence import read_with_memory

    embedding = model.parts["embedding"]
    with torch.no_grad():
        entering = [embedding(ids) if model.words else embedding(ids, torch.zeros_like(ids)) for ids in parts]
        return [states.numpy() for states in read_with_memory(model.network.encoder, entering)]  # type: ignore
