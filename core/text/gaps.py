"""How the model that fills gaps reads: Chinese by character, English by word, between [CLS] and [SEP]."""

import re
from collections.abc import Collection

from .characters import read
from .segmentation import HAN
from .shared import SharedVocabulary

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNK, CLS, SEP, MASK = range(len(SPECIALS))
WORD = re.compile(r"'s\b|[^\W\d_]+|[^\w\s]|\w")


def pieces(vocabulary: SharedVocabulary) -> tuple[str, ...]:
    """The rows of its table: its own special tokens, then the characters and words of the translator."""
    return SPECIALS + vocabulary.source + vocabulary.target


def cut(text: str, known: Collection[str]) -> list[str]:
    """A text as tokens; the first word of an English sentence is small unless it is known with its capital.

    >>> cut("The teacher's book.", {"the", "teacher", "'s", "book", "."})
    ['the', 'teacher', "'s", 'book', '.']
    """
    if HAN.search(text):
        return list(read(text))
    return [word if word in known else word.lower() for word in WORD.findall(text)]
