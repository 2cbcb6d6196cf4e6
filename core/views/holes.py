"""Where a text has a hole: words that all became [UNK], and a word hidden behind [MASK]."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from safetensors import safe_open

from ..ranking import largest
from ..text.token import Token
from ..zoo import Model
from .batch import last_states
from .embedding import table
from .vectors import unit

NEAREST = 5
HEADS = ("cls.", "lm_head.", "mlm", "predictions")  # what the output of a model that fills gaps is called


@dataclass(frozen=True, eq=False)
class Hidden:
    """One token hidden behind [MASK], and the rows of the table nearest to what the model makes of that place.

    Attributes:
        tokens: the row, [MASK] in it.
        at: where it stands.
        was: the token that stood there.
        near: the pieces of the nearest rows with their cosines, the nearest first.
        rank: as which of all rows the hidden token's own row comes, from 1.
        seen: the same while it is not hidden.
    """

    tokens: tuple[Token, ...]
    at: int
    was: Token
    near: tuple[tuple[str, float], ...]
    rank: int
    seen: int

    @property
    def nbytes(self) -> int:
        return 300 * len(self.tokens)


def hide(model: Model, text: str, at: int) -> Hidden:
    """Hide the token at `at` of a text's row from a model that has [MASK]."""
    row = model.tokenizer.encode(text, max_tokens=model.config.positions)
    mask = replace(row[at], text="[MASK]", id=model.tokenizer.id_of("[MASK]"), special=True)
    masked = (*row[:at], mask, *row[at + 1 :])
    rows = unit(table(model))
    hidden, seen = (rows @ unit(last_states(model, each)[at]) for each in (masked, row))
    best = largest(hidden, NEAREST)
    near = tuple((model.tokenizer.piece_of(int(id)), float(hidden[id])) for id in best)
    return Hidden(masked, at, row[at], near, rank(hidden, row[at].id), rank(seen, row[at].id))


def rank(cosines: np.ndarray, id: int) -> int:
    return int((cosines > cosines[id]).sum()) + 1


@lru_cache(maxsize=4)
def outputs(model: Model) -> tuple[int, tuple[str, ...]]:
    """How many tensors the file of weights holds, and which of them belong to an output that fills gaps."""
    with safe_open(model.folder / "model.safetensors", framework="numpy") as weights:
        names = list(weights.keys())
    return len(names), tuple(name for name in names if any(head in name for head in HEADS))
