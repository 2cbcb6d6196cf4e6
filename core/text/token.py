"""One token: what the model is given, and which characters of the text it stands for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """A token, and where in the text it comes from.

    Attributes:
        text: what it is called, mostly the vocabulary's spelling of it: `cat`, `##ffa` or `[CLS]`.
        id: its row in the vocabulary, and so in the embedding table.
        start: first code point of its text that it stands for; 0 where it was added, not typed.
        end: one past the last such code point; 0 where it was added, not typed.
        special: whether it was added by the template or as padding, or typed literally, as in "[MASK]".
        segment: 0 for the first text and for padding, 1 for the second text.
        word: the index, within its text, of the word it is a piece of; None for special tokens.
    """

    text: str
    id: int
    start: int
    end: int
    special: bool
    segment: int
    word: int | None


SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def named(tokens: Sequence[str], index: int) -> str:
    """A token's text; with its position as an index where the row holds that text more than once.

    >>> named(["the", "cat", "on", "the", "mat"], 3), named(["the", "cat", "on", "the", "mat"], 4)
    ('the₃', 'mat')
    """
    text = tokens[index]
    return text if tokens.count(text) == 1 else text + subscript(index)


def all_named(tokens: Sequence[str]) -> list[str]:
    """Each of them so.

    >>> all_named(["the", "cat", "on", "the", "mat"])
    ['the₀', 'cat', 'on', 'the₃', 'mat']
    """
    counts = Counter(tokens)
    return [text if counts[text] == 1 else text + subscript(i) for i, text in enumerate(tokens)]


def subscript(index: int) -> str:
    return str(index).translate(SUBSCRIPTS)
