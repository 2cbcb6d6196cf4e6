"""A whole vocabulary to look through: its entries by kind, by script, and by what they contain."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

SORTS = ("all", "reserved", "word", "piece", "start", "inside", "single")
SPACE = "␣"  # a vocabulary of bytes keeps the space before a word
MARKED = re.compile(r"<\|?\w+\|?>")
MOST_SCRIPTS = 10  # that are told apart by name
OTHER, NONE = "other", "none"  # a rarer script; no letter at all


def sort_of(piece: str) -> str:
    """A special token or a row held free; a single character; a piece that continues a word; a word or its beginning.

    >>> [sort_of(piece) for piece in ("[PAD]", "[unused7]", "a", "##a", "the")]
    ['reserved', 'reserved', 'single', 'piece', 'word']
    """
    if len(piece) > 2 and piece.startswith("[") and piece.endswith("]"):
        return "reserved"
    if len(piece) == 1:
        return "single"
    return "piece" if piece.startswith("##") else "word"


def byte_sort_of(piece: str) -> str:
    """The same where spaces are kept: with a space before it, or inside a word or at the start of a text.

    >>> [byte_sort_of(piece) for piece in ("<|im_end|>", "a", "⟨E6⟩", "␣the", "##", "ing")]
    ['reserved', 'single', 'single', 'start', 'inside', 'inside']
    """
    if MARKED.fullmatch(piece):
        return "reserved"
    if len(piece) == 1 or (len(piece) == 4 and piece[0] == "⟨"):
        return "single"
    return "start" if piece.startswith(SPACE) else "inside"


@lru_cache(maxsize=4)
def sorts(pieces: Sequence[str]) -> tuple[str, ...]:
    """The sort of each entry."""
    own = byte_sort_of if any(piece.startswith(SPACE) for piece in pieces) else sort_of
    return tuple(map(own, pieces))


def ordinary(pieces: Sequence[str]) -> int:
    """How many rows stand before the first that is no special token and not held free."""
    return next(id for id, sort in enumerate(sorts(pieces)) if sort != "reserved")


def script_of(piece: str) -> str:
    """The script of its first letter, as Unicode names it: latin, cjk, cyrillic; "none" where there is no letter.

    >>> [script_of(piece) for piece in ("the", "##и", "京", "##42", "か")]
    ['latin', 'cyrillic', 'cjk', 'none', 'hiragana']
    """
    letter = next((character for character in piece if character.isalpha()), None)
    return NONE if letter is None else unicodedata.name(letter, OTHER).split()[0].lower()


@lru_cache(maxsize=4)
def scripts(pieces: Sequence[str]) -> tuple[str, ...]:
    """The script of each entry; those with few entries are one."""
    named = [
        NONE if sort == "reserved" else script_of(piece) for piece, sort in zip(pieces, sorts(pieces), strict=True)
    ]
    often = {name for name, _ in Counter(named).most_common(MOST_SCRIPTS)}
    return tuple(name if name in often else OTHER for name in named)


@lru_cache(maxsize=4)
def counted(pieces: Sequence[str]) -> Mapping[str, Mapping[str, int]]:
    """How many entries there are of each sort and of each script, the most first."""
    by_sort = Counter(sorts(pieces))
    return {
        "sort": {"all": len(pieces), **{name: by_sort[name] for name in SORTS[1:]}},
        "script": dict(Counter(scripts(pieces)).most_common()),
    }


def found(pieces: Sequence[str], text: str, sort: str = "all", script: str = "all") -> list[int]:
    """The ids of the entries that contain a text; a number finds the entry with this id first.

    Args:
        pieces: the vocabulary; a tuple, so that what is counted in it is kept.
        text: looked for without regard to case; empty finds all.
        sort: one of SORTS.
        script: one of those that `counted` names, or "all".
    """
    text, named, kinds = text.strip().lower(), scripts(pieces), sorts(pieces)
    ids = [
        id
        for id, piece in enumerate(pieces)
        if text in piece.lower() and sort in ("all", kinds[id]) and script in ("all", named[id])
    ]
    own = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1
    if 0 <= own < len(pieces):
        ids = [own, *(id for id in ids if id != own)]
    return ids
