"""Small matrices on lines, with signs between them: those that are given can be edited, number by number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Block:
    """A matrix as it is written; `rows` are what its rows are called, where they are called anything."""

    id: str
    name: str
    cells: Sequence[Sequence[str]]
    given: bool = False  # whether its numbers can be edited
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    marked: Sequence[Sequence[int]] = ()  # cells that stand out


@dataclass(frozen=True)
class WorksheetLine:
    id: str  # which the parameter `line` shows, one at a time
    caption: str
    items: Sequence[str | Block]  # signs and matrices


@dataclass(frozen=True)
class Worksheet:
    """`param` holds what was edited, as WQ.0.1=2;X.1.3=-1; `put` is the same by place."""

    param: str
    put: Mapping[str, str]
    usual: Mapping[str, str]  # of each given number, what stands there unedited
    lines: Sequence[WorksheetLine]
    label: str

    def data(self) -> dict[str, Any]:
        return plain(self)
