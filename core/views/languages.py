"""Two languages in one table: where words and their translations lie, and a rotation learned from a few pairs.

References:
    Schönemann 1966, https://doi.org/10.1007/BF02289451 (the orthogonal Procrustes problem).
    Mikolov et al. 2013, https://arxiv.org/abs/1309.4168 (a linear map between two languages' vectors).
    Xing et al. 2015, https://aclanthology.org/N15-1104 (unit vectors, an orthogonal map).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ..zoo import Model
from .embedding import table
from .vectors import unit

LEARNED = (0, 5, 10, 20, 50, 100, 150)  # pairs that a rotation is learned from
HELD_OUT = 100  # pairs that none is learned from
LONGEST = 2  # characters of a Chinese word


@dataclass(frozen=True, eq=False)
class Languages:
    """Chinese words and their English, each of them once. The last HELD_OUT are never learned from.

    Attributes:
        pairs: (Chinese, English).
        chinese, english: [pair, d_model], rows of the table (a word of two characters: their mean), each language
            about its own middle, each vector of length 1.
    """

    pairs: tuple[tuple[str, str], ...]
    chinese: np.ndarray
    english: np.ndarray

    @property
    def nbytes(self) -> int:
        return self.chinese.nbytes + self.english.nbytes + 200 * len(self.pairs)

    @property
    def held_out(self) -> range:
        return range(len(self.pairs) - HELD_OUT, len(self.pairs))


@dataclass(frozen=True, eq=False)
class Aligned:
    """The Chinese words after a rotation learned from the first `learned` pairs.

    Attributes:
        rotation: [d_model, d_model], orthogonal; the identity where nothing was learned.
        chinese: [pair, d_model].
        cosines: [Chinese, English].
        ranks: [pair], as which of all English words a Chinese word's own translation comes, from 1.
        skew: the largest difference of the rotation, times itself turned over, from the identity.
    """

    learned: int
    rotation: np.ndarray
    chinese: np.ndarray
    cosines: np.ndarray
    ranks: np.ndarray
    skew: float

    @property
    def nbytes(self) -> int:
        return self.rotation.nbytes + self.chinese.nbytes + self.cosines.nbytes + self.ranks.nbytes

    def first(self, among: Sequence[int], places: int = 1) -> float:
        """The share of these words whose translation comes among the first so many."""
        return float((self.ranks[among] <= places).mean())


def languages(model: Model, glosses: Mapping[str, str]) -> Languages:
    """The words of a dictionary (Chinese -> English, senses between " / ") that a translator's table has, in a fixed
    order dealt at random."""
    rows = {piece: id for id, piece in enumerate(model.tokenizer.pieces)}
    found: dict[str, str] = {}  # by their English
    for chinese, english in glosses.items():
        first = english.split(" / ")[0]
        if len(chinese) <= LONGEST and first.isalpha() and first in rows and all(c in rows for c in chinese):
            found.setdefault(first, chinese)
    pairs = [(chinese, english) for english, chinese in found.items()]
    Random(1).shuffle(pairs)
    vectors = table(model)
    chinese = np.stack([vectors[[rows[c] for c in word]].mean(0) for word, _ in pairs])
    english = np.stack([vectors[rows[word]] for _, word in pairs])
    return Languages(tuple(pairs), centred(chinese), centred(english))


def centred(vectors: np.ndarray) -> np.ndarray:
    """About their middle, each then of length 1."""
    return unit(vectors - vectors.mean(0))


def procrustes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The orthogonal W that makes ‖x W − y‖ smallest: U Vᵀ, where U Σ Vᵀ = xᵀ y. x, y [pair, d] -> [d, d]."""
    left, _, right = np.linalg.svd(x.T @ y)
    return left @ right


def align(words: Languages, learned: int) -> Aligned:
    """Learn from the first `learned` pairs, turn every Chinese word, and look where its translation comes."""
    x, y = words.chinese, words.english
    rotation = procrustes(x[:learned], y[:learned]) if learned else np.eye(x.shape[1], dtype=x.dtype)
    turned = x @ rotation
    cosines = turned @ y.T
    ranks = (cosines > np.diag(cosines)[:, None]).sum(1) + 1
    skew = float(np.abs(rotation.T @ rotation - np.eye(len(rotation))).max())
    return Aligned(learned, rotation, turned, cosines, ranks, skew)
