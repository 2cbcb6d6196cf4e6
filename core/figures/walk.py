"""One word on its way to its tokens: walked from left to right, at each stop the longest candidate first, shorter ones
until one is there; or merged, two pieces at a stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Stop:
    """Candidates are the text from `start` up to an end; of those tried, only the last can be in the vocabulary."""

    start: int
    end: int | None  # of what was found; None where nothing was
    id: int | None
    tried: int
    reason: str
    ends: Sequence[int] | None = None  # where pieces are merged: where each piece of the text ends after it


@dataclass(frozen=True)
class WalkWords:
    no: str
    there: str
    less: str  # while it is asked how many are looked up: what becomes of the word from one to the next
    none: str
    gap: str  # with {count} to be filled in


@dataclass(frozen=True)
class Walk:
    """All stops of a unit, so that stepping needs no server."""

    unit: int
    title: str
    value: str
    where: str
    intro: Sequence[str]
    text: str | Sequence[str] | None  # its letters; None where there is nothing to walk; of a veiled walk all there is
    stops: Sequence[Stop]
    reached: int | None  # of a veiled walk, where the first piece ends, if candidates are looked up
    left: str  # ... and what is said of what is left then
    marks: str  # what ## says; "" where there is none
    check: str
    note: str
    veiled: str  # said while a question about it is open; else ""
    words: WalkWords

    def data(self) -> dict[str, Any]:
        return plain(self)
