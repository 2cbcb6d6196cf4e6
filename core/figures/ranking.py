"""Lists side by side, each in its own order, with a line from an entry to the same one in the next list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Entry:
    """`same` is what it has in common with the entries it is joined to; `marked` where it stands out."""

    text: str
    same: str
    note: str = ""  # beside it, where there is room
    marked: bool = False


@dataclass(frozen=True)
class Ranked:
    title: str
    entries: Sequence[Entry]
    foot: str = ""  # below the list


@dataclass(frozen=True)
class Ranking:
    lists: Sequence[Ranked]
    label: str
    caption: str
    first: int = 1  # the number of the first row

    def data(self) -> dict[str, Any]:
        return plain(self)
