"""What flows into what, from top to bottom: boxes in rows, and lines between them, as wide as what they carry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .picture import plain
from .sheet import Door


class Part(NamedTuple):
    """A second thing in a box, with its number; a press on it sets `picks`."""

    title: str
    number: str
    picks: Mapping[str, object]


@dataclass(frozen=True)
class Node:
    """A box, or a sign between boxes. It stands in a row and a column, from 0, and is `wide` columns."""

    id: str
    title: str
    row: int
    column: int = 0
    wide: int = 1
    number: str = ""
    part: Part | None = None
    door: Door | None = None
    sign: bool = False


class Line(NamedTuple):
    """From one box to another; `size` is from 0 to 1. One that goes `past` others leaves and arrives at the side."""

    start: str
    end: str
    size: float = 0
    past: bool = False


@dataclass(frozen=True)
class FlowWords:
    label: str
    caption: str


@dataclass(frozen=True)
class Flow:
    columns: int
    nodes: Sequence[Node]
    lines: Sequence[Line]
    words: FlowWords
    even: bool = False  # whether all boxes are as wide

    def data(self) -> dict[str, Any]:
        return plain(self)
