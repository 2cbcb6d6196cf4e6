"""A ruler of cosines, from 0 to 1, that carries the rows a word is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Row:
    """A row and its cosine with the word."""

    id: str
    text: str
    cosine: float


@dataclass(frozen=True)
class NearWords:
    label: str
    none: str  # what 0 means
    same: str  # what 1 means


@dataclass(frozen=True)
class Near:
    """A press compares with that row: `param` is set to its id."""

    param: str
    chosen: str
    rows: Sequence[Row]
    words: NearWords

    def data(self) -> dict[str, Any]:
        return plain(self)
