"""What the vocabulary lab shows: one text's words, a vocabulary growing from them, and what a real one is made of."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..text.corpus import read_words
from ..text.merging import SPECIALS, Rule, Ties, Training, letters, spell, train

MOST = 200  # merges
UNUSED = re.compile(r"\[unused\d+\]")
KINDS = ("special", "unused", "alone", "alone_inside", "longer")


@dataclass(frozen=True, eq=False)
class VocabularyView:
    """A text and the vocabulary trained on it."""

    text: str
    ties: Ties
    training: Training

    @property
    def nbytes(self) -> int:
        """Roughly what it holds, for a cache of a bounded size."""
        return 2000 + 200 * len(self.training.words) + 3000 * len(self.training.merges)


def vocabulary_view(text: str, rule: Rule, ties: Ties) -> VocabularyView:
    """Trained until nothing is left to merge, or MOST pieces were added."""
    words = read_words(text)
    alphabet = {piece for word in words for piece in letters(word, rule)}
    return VocabularyView(text, ties, train(words, rule, ties, len(SPECIALS) + len(alphabet) + MOST))


def parted(first: Training, second: Training) -> int | None:
    """After how many merges two trainings' vocabularies are not the same for the first time; None where never."""
    one, two = ({*training.alphabet} for training in (first, second))
    for number in range(max(len(first.merges), len(second.merges))):
        for training, known in ((first, one), (second, two)):
            if number < len(training.merges):
                known.add(training.merges[number].made)
        if one != two:
            return number + 1
    return None


def spelt_apart(first: Training, second: Training, steps: int) -> Mapping[str, tuple[list[str], list[str]]]:
    """The words that two vocabularies spell in different ways after so many merges."""
    spellings = {word: (spell(first, word, steps), spell(second, word, steps)) for word in first.words}
    return {word: pair for word, pair in spellings.items() if pair[0] != pair[1]}


def made_of(pieces: Sequence[str]) -> Mapping[str, int]:
    """How many entries of a BERT vocabulary are of each of KINDS."""
    counted = Counter(map(kind, pieces))
    return {name: counted[name] for name in KINDS}


def kind(piece: str) -> str:
    if piece in SPECIALS:
        return "special"
    if UNUSED.fullmatch(piece):
        return "unused"
    if len(piece) == 1:
        return "alone"
    return "alone_inside" if piece.startswith("##") and len(piece) == 3 else "longer"
