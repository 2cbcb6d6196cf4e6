"""A Chinese WordPiece, trained here on jieba's words (core/training/chinese_wordpiece.py): jieba finds the words, and
each is spelt with the longest pieces there are."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ..files import MODELS
from .merging import SPECIALS as SPECIALS
from .segmentation import Word

PIECES = MODELS / "chinese_wordpiece/pieces.txt"
UNKNOWN = "[UNK]"


@cache
def pieces() -> frozenset[str]:
    """The vocabulary."""
    return frozenset(PIECES.read_text(encoding="utf-8").splitlines())


class Piece(NamedTuple):
    """A piece, and the code points it stands for."""

    text: str
    start: int
    end: int


def encode(words: Sequence[Word]) -> Iterator[Piece]:
    """The pieces of a text that jieba has cut. Spaces are dropped; a word that cannot be spelt is one [UNK]."""
    known = pieces()
    for word in words:
        if not word.text.isspace():
            yield from spelt(word, known)


def spelt(word: Word, known: frozenset[str]) -> list[Piece]:
    """A word with the longest piece at each place, from the left."""
    text, found, start = word.text, [], 0
    while start < len(text):
        mark = "##" if start else ""
        end = next((end for end in range(len(text), start, -1) if mark + text[start:end] in known), None)
        if end is None:
            return [Piece(UNKNOWN, word.start, word.end)]
        found.append(Piece(mark + text[start:end], word.start + start, word.start + end))
        start = end
    return found
