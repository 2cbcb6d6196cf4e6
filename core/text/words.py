"""English by word: what the translator writes."""

import re
from collections.abc import Iterator, Sequence

from .normalization import Step
from .shared import SharedVocabulary
from .trace import CutReason
from .whole import Whole, as_step, cleaned, parts

MARKS = str.maketrans({"？": "?", "。": ".", "，": ",", "！": "!", "’": "'"})
WORD = re.compile(r"'s\b|\w+(?:-\w+)*|[^\w ]")
CLOSE = frozenset({".", ",", "?", "!", "'s"})  # written without a space before them


class Words(Whole):
    """A token a word or punctuation mark, [BOS] before and [EOS] after.

    The vocabulary has names with a capital and everything else without: a sentence's first word is no word of
    its own.
    """

    steps = ("clean", "punctuation", "lowercase")
    front = ("[BOS]",)

    def __init__(self, vocabulary: SharedVocabulary, longest: int = 64) -> None:
        super().__init__(vocabulary, vocabulary.target_ids(), longest)

    def normalize(self, text: str) -> tuple[Step, ...]:
        """Clean, then ASCII punctuation marks, then small letters for words that are unknown with capitals."""
        clean = as_step("clean", cleaned(text))
        marked = Step("punctuation", clean.text.translate(MARKS), clean.origins)
        return clean, marked, Step("lowercase", WORD.sub(self._small, marked.text), marked.origins)

    def _small(self, word: re.Match[str]) -> str:
        small = word[0].lower()
        return small if word[0] not in self._ids and small in self._ids else word[0]

    def split(self, text: str) -> Iterator[tuple[int, int, CutReason]]:
        return parts(WORD, text, "punctuation")


def written(words: Sequence[str]) -> str:
    """Words as a sentence: spaces between them, none before a full stop, a capital at the beginning.

    >>> written(["is", "Xiaoming", "'s", "book", "new", "?"])
    "Is Xiaoming's book new?"
    """
    text = "".join(word if word in CLOSE else f" {word}" for word in words).removeprefix(" ")
    return text[:1].upper() + text[1:]


def places(words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where each of the words stands in `written`: its first code point, and one past its last.

    >>> places(["yes", ",", "please"])
    ((0, 3), (3, 4), (5, 11))
    """
    made, end = [], 0
    for index, word in enumerate(words):
        start = end + (index > 0 and word not in CLOSE)
        end = start + len(word)
        made.append((start, end))
    return tuple(made)
