"""One word in many sentences: its row is the same everywhere, its state is not. And whole sentences compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..capture import Capture
from ..errors import InputError
from ..zoo import Model
from .embedding import table
from .meaning import spelled
from .vectors import cosines

LONGEST = 20  # sentences at once


@dataclass(frozen=True, eq=False)
class Senses:
    """A word's state in every sentence, at every depth: in the table, entering layer 1, after each layer."""

    word: str
    sentences: tuple[str, ...]
    senses: tuple[str, ...]  # of each sentence
    states: np.ndarray  # [depth, sentence, d_model]; depth 0 is the table
    cosines: np.ndarray  # [depth, sentence, sentence]
    places: tuple[range, ...]  # of each sentence, the word's tokens

    @property
    def nbytes(self) -> int:
        return self.states.nbytes + self.cosines.nbytes

    @property
    def same(self) -> np.ndarray:
        """[sentence, sentence] bool: both of one sense, and not one sentence with itself."""
        senses = np.array(self.senses)
        return (senses[:, None] == senses) & ~np.eye(len(senses), dtype=bool)

    @property
    def within(self) -> np.ndarray:
        """[depth]: the mean cosine of two sentences of one sense; nan where no sense has two."""
        return self.mean(self.same)

    @property
    def across(self) -> np.ndarray:
        """[depth]: the mean cosine of two sentences of different senses; nan where there is one sense."""
        return self.mean(~self.same & ~np.eye(len(self.senses), dtype=bool))

    def mean(self, pairs: np.ndarray) -> np.ndarray:
        """[depth]: the mean cosine of the pairs that are true in [sentence, sentence]."""
        return self.cosines[:, pairs].mean(1) if pairs.any() else np.full(len(self.cosines), np.nan)

    def nearest(self, depth: int) -> np.ndarray:
        """[sentence]: which other sentence has the word's state nearest to this one's."""
        others = self.cosines[depth] - 3 * np.eye(len(self.sentences))
        return others.argmax(1)

    @property
    def paired(self) -> tuple[int, ...]:
        """The sentences whose sense another one shares: of the others the nearest can never be of the same sense."""
        return tuple(i for i, same in enumerate(self.same) if same.any())

    def differs(self, depth: int) -> bool:
        """Whether any two states differ there at all: not in the table, nor before anything but the row is in them."""
        return bool((self.states[depth] != self.states[depth, :1]).any())

    def right(self, depth: int) -> int:
        """Of how many `paired` sentences the nearest is of the same sense; where all are equal none counts."""
        if not self.differs(depth):
            return 0
        near = self.nearest(depth)
        return sum(self.senses[i] == self.senses[near[i]] for i in self.paired)


def senses_view(
    model: Model, word: str, groups: Mapping[str, Sequence[str]], captured: Callable[[str], Capture]
) -> Senses:
    """The word in sentences grouped by sense; `captured` gives the capture of one, with at least `TAPS`.

    The state at a word of several pieces is the mean of theirs.
    Raises InputError: `word_missing` where a sentence lacks the word, `sentences_few` where there are fewer than two.
    """
    pairs = [(sense, sentence) for sense, sentences in groups.items() for sentence in sentences][:LONGEST]
    if len(pairs) < 2:
        raise InputError("sentences_few")
    runs = [captured(sentence) for _, sentence in pairs]
    places = tuple(found(model, word, run) for run in runs)
    states = np.stack([states_of(model, run, list(at)) for run, at in zip(runs, places, strict=True)], axis=1)
    return Senses(
        word, tuple(sentence for _, sentence in pairs), tuple(sense for sense, _ in pairs),
        states, np.stack([cosines(depth) for depth in states]), places,
    )  # fmt: skip


def states_of(model: Model, run: Capture, at: Sequence[int]) -> np.ndarray:
    """[depth, d_model]: the row of a word whose tokens stand there, and its state at every depth of this sentence."""
    row = table(model)[[run.tokens[i].id for i in at]].mean(0)
    return np.stack([row, *(run[tap][at].mean(0) for tap in model.depths())])


def found(model: Model, word: str, run: Capture) -> range:
    """The positions of the word's tokens in a sentence; raises InputError where it does not hold them."""
    ids, row = list(spelled(model, word)), [token.id for token in run.tokens]
    for start in range(len(row) - len(ids) + 1):
        if ids and row[start : start + len(ids)] == ids and model.tokenizer.unk_id not in ids:
            return range(start, start + len(ids))
    raise InputError("word_missing", word=word[:40], sentence=run.text[:80])


# ---- sentences


@dataclass(frozen=True, eq=False)
class Sentences:
    """Sentences as vectors: the mean of their tokens' last states."""

    texts: tuple[str, ...]
    vectors: np.ndarray  # [sentence, d_model]
    cosines: np.ndarray  # [sentence, sentence]

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + self.cosines.nbytes


def sentences_view(model: Model, texts: Sequence[str], captured: Callable[[str], Capture]) -> Sentences:
    """The sentences compared. MiniLM was trained to be read this way; an encoder of a translator was not.

    References:
        Reimers and Gurevych 2019, https://arxiv.org/abs/1908.10084, section 3 (mean pooling).
    """
    last = model.depths()[-1]
    vectors = np.stack([captured(text)[last].mean(0) for text in texts])
    return Sentences(tuple(texts), vectors, cosines(vectors))
