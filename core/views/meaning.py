"""What the meaning lab asks of an embedding table: a word's vector, its nearest rows, a sum of words, groups of words.

Nearness is the cosine, in the space itself. A map of it is drawn by `core/views/maps.py`, and is another thing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

import numpy as np

from ..ranking import largest
from ..text.unicode import is_cjk
from ..zoo import Model
from .embedding import table
from .vectors import cosine, unit

LIMIT = 1000  # words on one map
DRAWN = 5000  # pairs of rows
SEPARATORS = re.compile(r"[\s,;，、；]+")


@dataclass(frozen=True, eq=False)
class Word:
    """A word as the table has it: one row, or the mean of the rows of its pieces."""

    text: str
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    vector: np.ndarray  # [d_model]

    @property
    def averaged(self) -> bool:
        """Whether its vector is a mean of several rows."""
        return len(self.ids) > 1

    @property
    def name(self) -> str:
        """Its row's, the space that it begins with shown; the word itself where it has no row of its own."""
        return self.text if self.averaged else self.pieces[0]


@dataclass(frozen=True)
class Neighbour:
    """A row of the vocabulary, and its cosine with what was asked about."""

    id: int
    piece: str
    cosine: float


MEASURES = ("cosine", "dot", "distance")


@dataclass(frozen=True, eq=False)
class Space:
    """A model's embedding table as a space to look around in. It holds no copy of the table."""

    model: Model
    table: np.ndarray  # [vocab, d_model]
    norms: np.ndarray  # [vocab]

    @property
    def nbytes(self) -> int:
        return self.norms.nbytes

    def word(self, text: str) -> Word | None:
        """The word as the vocabulary spells it; None where it cannot, or where there is nothing to spell."""
        ids = spelled(self.model, text)
        if not ids or self.model.tokenizer.unk_id in ids:
            return None
        pieces = tuple(self.model.tokenizer.names[id] for id in ids)
        return Word(text, ids, pieces, self.table[list(ids)].mean(0))

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Where in the table each piece stands."""
        return {piece: id for id, piece in enumerate(self.model.tokenizer.names)}

    def first(self, count: int) -> list[str]:
        """The first words of the table that it can spell."""
        words = (name.removeprefix("␣") for name in self.model.tokenizer.names)
        spelt = (word for word in words if word.isalnum() and self.word(word))
        return list(islice(spelt, count))

    def row(self, piece: str) -> Word | None:
        """The row of a piece as the vocabulary names it, ##s or [PAD] too, which nobody could spell."""
        id = self.ids.get(piece)
        return None if id is None else Word(piece, (id,), (piece,), self.table[id])

    def named(self, text: str) -> Word | None:
        """What the address means by a text: the row of that name, else the word as it is spelled."""
        return self.row(text) or self.word(text)

    def cosines(self, vector: np.ndarray) -> np.ndarray:
        """[vocab]: the cosine of a vector with every row of the table."""
        return self.table @ vector / (self.norms * max(float(np.linalg.norm(vector)), 1e-12))

    def measures(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """[vocab] each: a vector's cosine and dot product with every row, and its Euclidean distance from it."""
        dots = self.table @ vector
        squares = self.norms**2 + float(vector @ vector) - 2 * dots
        return {"cosine": self.cosines(vector), "dot": dots, "distance": np.sqrt(np.maximum(squares, 0))}

    def order(self, values: np.ndarray, measure: str, count: int, without: Sequence[int] = ()) -> list[int]:
        """The ids of the `count` nearest rows, by one of these: the least distance, else the largest value."""
        nearer = -values if measure == "distance" else values.copy()
        nearer[list(without)] = -np.inf
        return [int(i) for i in largest(nearer, count)]

    def nearest(self, vector: np.ndarray, count: int, without: Sequence[int] = ()) -> list[Neighbour]:
        """The `count` rows with the largest cosine, the largest first; the rows `without` are passed over."""
        cosines = self.cosines(vector)
        cosines[list(without)] = -np.inf
        best = largest(cosines, count)
        return [Neighbour(int(i), self.model.tokenizer.names[i], float(cosines[i])) for i in best]

    def neighbours(self, word: Word, count: int = 8) -> list[Neighbour]:
        """The rows nearest to a word, its own left out."""
        return self.nearest(word.vector, count, without=word.ids)


def space(model: Model) -> Space:
    """The space of a model's table."""
    rows = table(model)
    return Space(model, rows, np.linalg.norm(rows, axis=1))


@lru_cache(maxsize=4096)
def spelled(model: Model, text: str) -> tuple[int, ...]:
    """The ids of a word: as the model reads it, or, where it writes what it cannot read, as it writes it."""
    writes = model.words is not None and not any(map(is_cjk, text))
    tokenizer = model.words if writes else model.tokenizer
    assert tokenizer is not None
    return tuple(token.id for token in tokenizer.trace(tokenizer.gap + text).tokens if not token.special)


def mean_cosine(table: np.ndarray, ids: Sequence[int], others: Sequence[int] | None = None) -> float:
    """The mean cosine of two different rows of `ids`, or of one of them with one of `others`."""
    directions = unit(table)
    a = directions[list(ids)].sum(0, dtype=np.float64)
    if others is not None:
        return float(a @ directions[list(others)].sum(0, dtype=np.float64) / (len(ids) * len(others)))
    return float((a @ a - len(ids)) / (len(ids) * (len(ids) - 1)))


def any_two(space: Space) -> tuple[float, float, float]:
    """The cosine of two different rows drawn at random: its mean, and the ends between which nine in ten pairs lie."""
    dice, rows = np.random.default_rng(0), len(space.table)
    one, step = dice.integers(rows, size=DRAWN), dice.integers(1, rows, size=DRAWN)
    cosines = cosine(space.table[one], space.table[(one + step) % rows])
    low, high = np.quantile(cosines, [0.05, 0.95])
    return float(cosines.mean()), float(low), float(high)


def next_to(space: Space) -> float:
    """The mean cosine of two rows with neighbouring ids."""
    return float(cosine(space.table[:-1], space.table[1:]).mean())


def analogy(space: Space, a: Word, minus: Word, plus: Word, remove: bool, count: int = 6) -> list[Neighbour]:
    """The rows nearest to a − minus + plus; with `remove`, those of the three words are passed over.

    References:
        Mikolov et al. 2013, https://aclanthology.org/N13-1090 (where the query words are removed, tacitly).
        Linzen 2016, https://aclanthology.org/W16-2503 (what the removal does).
    """
    without = (*a.ids, *minus.ids, *plus.ids) if remove else ()
    return space.nearest(a.vector - minus.vector + plus.vector, count, without)


# ---- groups of words


@dataclass(frozen=True)
class Group:
    """Words that somebody put together."""

    id: str
    words: tuple[str, ...]


def read_groups(text: str, unnamed: str) -> tuple[Group, ...]:
    """Groups as they are typed: a line each, `name: word word`; lines without a name make the group `unnamed`."""
    found: dict[str, list[str]] = {}
    for line in text.replace("：", ":").splitlines():
        name, colon, words = line.rpartition(":")
        found.setdefault(name.strip()[:40] if colon and name.strip() else unnamed, []).extend(split(words))
    return tuple(Group(name, tuple(words)) for name, words in found.items() if words)


def split(text: str) -> list[str]:
    """Words between spaces, commas and their Chinese kin."""
    return [word for word in SEPARATORS.split(text) if word]


def written(groups: Sequence[Group], names: Mapping[str, str]) -> str:
    """Groups as `read_groups` reads them."""
    return "\n".join(f"{names.get(group.id, group.id)}: {' '.join(group.words)}" for group in groups)


@dataclass(frozen=True, eq=False)
class WordSet:
    """The words of a map, each once, and what had to be left out."""

    words: tuple[Word, ...]
    groups: tuple[str, ...]  # of each word
    vectors: np.ndarray  # [word, d_model]
    unknown: tuple[str, ...]  # they would become [UNK]
    repeated: tuple[str, ...]  # they fetch the same rows as a word before them
    cut: int  # how many came after the last there was room for

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes

    @property
    def ids(self) -> tuple[tuple[int, ...], ...]:
        """Of each word, the rows it fetches."""
        return tuple(word.ids for word in self.words)

    @property
    def averaged(self) -> tuple[Word, ...]:
        """The words whose vectors are means of several rows."""
        return tuple(word for word in self.words if word.averaged)


def word_set(space: Space, groups: Sequence[Group], most: int = LIMIT) -> WordSet:
    """Every word of the groups that the vocabulary can spell, the first `most` of them."""
    kept: dict[tuple[int, ...], tuple[Word, str]] = {}
    unknown: dict[str, None] = {}
    repeated: dict[str, None] = {}
    cut = 0
    for text, name in ((text, group.id) for group in groups for text in group.words):
        if len(kept) == most:
            cut += 1
        elif (word := space.word(text)) is None:
            unknown[text] = None
        elif word.ids in kept:
            repeated[text] = None
        else:
            kept[word.ids] = word, name
    words = tuple(word for word, _ in kept.values())
    vectors = np.stack([word.vector for word in words]) if words else np.zeros((0, space.table.shape[1]), np.float32)
    names = tuple(group for _, group in kept.values())
    return WordSet(words, names, vectors, tuple(unknown), tuple(repeated), cut)
