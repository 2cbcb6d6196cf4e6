"""The rows a word is compared with, the nearest first, each with its cosine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Row:
    """A row and its cosine with the word; None while it is asked."""

    id: str
    text: str
    cosine: float | None


@dataclass(frozen=True)
class NearWords:
    label: str
    none: str  # what 0 means
    same: str  # what 1 means
    hidden: str  # stands for a number that must not be seen yet


@dataclass(frozen=True)
class Near:
    """A press compares with that row: `param` is set to its id."""

    param: str
    chosen: str
    rows: Sequence[Row]
    words: NearWords

    def data(self) -> dict[str, Any]:
        return plain(self)
