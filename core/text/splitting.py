"""Pre-splitting: cutting normalised text into words, before any vocabulary is consulted.

Whitespace separates words and vanishes; every punctuation character is a word by itself. Han characters
need no rule of their own: normalisation has put spaces around them.
"""

from collections.abc import Iterator

from .trace import CutReason
from .unicode import is_cjk, is_punctuation


def split(text: str) -> Iterator[tuple[int, int]]:
    """Find the words of a normalised text, left to right, as (start, end), end exclusive."""
    start = None
    for index, character in enumerate(text):
        alone = is_punctuation(character)
        if start is not None and (alone or character == " "):
            yield start, index
            start = None
        if alone:
            yield index, index + 1
        elif start is None and character != " ":
            start = index
    if start is not None:
        yield start, len(text)


def why_cut(gap: str) -> CutReason:
    """Say what parted two words, from the original characters behind the spaces between them.

    Args:
        gap: the original character each space came from. A space that normalisation put beside a Han
            character came from that character. Empty where the words touch.
    """
    if not gap:
        return "punctuation"
    return "cjk" if all(map(is_cjk, gap)) else "whitespace"
