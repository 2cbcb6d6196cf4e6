"""How the rows of an embedding table begin, and how they ended: four ways to draw them, and the trained table."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .entries import script_of, sort_of

if TYPE_CHECKING:
    from torch import Tensor

SEED = 1
BINS = 120  # of the ids, about
FEW = 100  # rows of a script to speak of
SPECIAL = re.compile(r"\[.+\]")  # a token that no text is cut into


def stretch(rows: int) -> int:
    """How many rows are taken together, of a table of so many."""
    return math.ceil(rows / BINS)


def drawing(d_model: int) -> "Mapping[str, Callable[[Tensor], Tensor]]":
    """The ways to draw a table [vocab, d_model], each by PyTorch's own function.

    nn.Embedding's default; BERT's initializer_range of .02 (Devlin et al. 2019); the translation models' 1/√d; Glorot
    and Bengio 2010.
    """
    from torch.nn import init

    return {
        "default": init.normal_,
        "bert": lambda table: init.normal_(table, std=0.02),
        "root": lambda table: init.normal_(table, std=1 / math.sqrt(d_model)),
        "xavier": init.xavier_uniform_,
    }


@dataclass(frozen=True, eq=False)
class Table:
    """What can be said of a table [vocab, d_model].

    Attributes:
        std: of all its numbers.
        largest: the largest of them, without its sign.
        low, middle, high: [bin], of the norms of the rows in each stretch of ids: a tenth is below the first, half
            below the second, nine tenths below the third.
        spearman: the rank correlation of id and norm, without the special tokens and the rows held free in front.
        mean: of the norms.
    """

    std: float
    largest: float
    mean: float
    low: np.ndarray
    middle: np.ndarray
    high: np.ndarray
    spearman: float

    @property
    def nbytes(self) -> int:
        return 3 * self.low.nbytes


def described(table: np.ndarray, front: int = 0) -> Table:
    """`front` rows stand before the first that is a piece of text."""
    norms = np.linalg.norm(table, axis=1)
    step = stretch(len(norms))
    stretches = [norms[first : first + step] for first in range(0, len(norms), step)]
    low, middle, high = np.array([np.quantile(stretch, (0.1, 0.5, 0.9)) for stretch in stretches], np.float32).T
    largest = float(np.abs(table).max())
    return Table(float(table.std()), largest, float(norms.mean()), low, middle, high, spearman(norms[front:]))


def spearman(norms: np.ndarray) -> float:
    """The correlation of the ranks of the norms with the ids: -1 to 1. Equal norms share their rank."""
    _, place, count = np.unique(norms, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    return float(np.corrcoef(np.arange(len(norms)), ranks)[0, 1])


def spearman_of_words(table: np.ndarray, pieces: Sequence[str]) -> tuple[int, float]:
    """The rank correlation of id and norm among words and beginnings of words alone, and how many these are."""
    words = [id for id, piece in enumerate(pieces) if sort_of(piece) == "word"]
    return len(words), spearman(np.linalg.norm(table[words], axis=1))


def spearman_of_scripts(table: np.ndarray, pieces: Sequence[str]) -> dict[str, tuple[int, float, float]]:
    """Of each script with at least `FEW` rows, special tokens left out: how many, the rank correlation of id and norm
    among these alone, and their median norm."""
    norms = np.linalg.norm(table, axis=1)
    rows: dict[str, list[int]] = {}
    for id, piece in enumerate(pieces):
        if not SPECIAL.fullmatch(piece):
            rows.setdefault(script_of(piece), []).append(id)
    return {
        script: (len(ids), spearman(norms[ids]), float(np.median(norms[ids])))
        for script, ids in rows.items()
        if len(ids) >= FEW
    }


def begun(kind: str, vocab: int, d_model: int, front: int = 0) -> Table:
    """A table drawn in one of the ways of `drawing`, always with the same dice."""
    import torch

    from ..dice import Seeded

    with Seeded(SEED):
        table = drawing(d_model)[kind](torch.empty(vocab, d_model))
    return described(table.numpy(), front)
