"""A vocabulary grown from a long text, a few merges at a time, so that it can be watched and stopped."""

from dataclasses import dataclass, replace

from ..text.corpus import read_words
from ..text.merging import SPECIALS, Merge, Rule, State, Ties, Training

LONGEST = 200_000  # characters of a text
SIZES = (500, 1000, 2000, 5000)  # of a vocabulary
EACH = 25  # merges at a time


@dataclass(frozen=True, eq=False)
class Grown:
    """What came of it.

    Attributes:
        training: without the words, and of each merge only the winner.
        characters: of the words; words: how many there are, each as often as it stands; different: how many.
        counts: how many pieces spell the whole text, at first and after each merge.
        wanted: the size that was asked for.
    """

    training: Training
    characters: int
    words: int
    different: int
    counts: tuple[int, ...]
    wanted: int

    @property
    def nbytes(self) -> int:
        return 2000 + 700 * len(self.training.merges)

    @property
    def size(self) -> int:
        return len(self.training.vocabulary)

    @property
    def first(self) -> int:
        """The special tokens and the single characters: nothing can be smaller."""
        return len(SPECIALS) + len(self.training.alphabet)


class Growth:
    """A training under way. It ends at `size` pieces, or where no two pieces stand side by side."""

    def __init__(self, text: str, rule: Rule, ties: Ties, size: int):
        self.text, self.size = text[:LONGEST], size
        self.rule: Rule = rule
        self.ties: Ties = ties
        self.merges: list[Merge] = []
        self.counts: list[int] = []

    def read(self) -> None:
        """The words and their characters: before the first merge."""
        self.words = read_words(self.text)
        self.state = State(self.words, self.rule)
        self.ids = {piece: id for id, piece in enumerate((*SPECIALS, *self.state.alphabet))}
        self.counts.append(self.state.pieces.total())

    def grow(self, merges: int = EACH) -> None:
        """So many merges more, or as many as there still are."""
        for _ in range(merges):
            if len(self.ids) >= self.size or not self.state.pairs:
                return
            merge = self.state.step(self.ids, self.ties)
            self.ids.setdefault(merge.made, len(self.ids))
            self.merges.append(replace(merge, candidates=merge.candidates[:1]))
            self.counts.append(self.state.pieces.total())

    @property
    def done(self) -> Grown:
        training = Training(self.rule, {}, self.state.alphabet, tuple(self.merges))
        characters = sum(len(word) * count for word, count in self.words.items())
        words = sum(self.words.values())
        return Grown(training, characters, words, len(self.words), tuple(self.counts), self.size)
