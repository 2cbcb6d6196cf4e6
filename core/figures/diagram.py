"""The whole model as one diagram: its stacks, their layers, every box with its number, and a door to its stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .picture import plain
from .sheet import Door


@dataclass(frozen=True)
class Also:
    """A second door, by its own name."""

    title: str
    door: Door


@dataclass(frozen=True)
class Box:
    """A part of the model. A press on its number sets `picks`, or begins `trail`; else it is only read."""

    id: str
    title: str
    number: str = ""
    hint: str = ""  # what the number is
    unit: str = ""  # the same in a sign before it
    door: Door | None = None
    also: Also | None = None
    section: str = ""  # of this very page that the title opens, where it leads to no other stage
    picks: Mapping[str, object] = field(default_factory=dict)
    trail: str = ""


@dataclass(frozen=True)
class Group:
    """A sub-layer with what is added to it and the norm behind; `memory` says that it reads the other stack, too."""

    part: Box
    norm: Box
    memory: bool = False


@dataclass(frozen=True)
class Column:
    """A stack from its bottom to its top."""

    id: str
    name: str
    layers: int
    count: str  # the same in words
    below: Sequence[Box]
    groups: Sequence[Group]
    above: Sequence[Box]
    rest: str = ""  # the layers above the one shown


@dataclass(frozen=True)
class DiagramWords:
    label: str
    layer: str
    pass_: str  # of the line that goes past a sub-layer
    times: str  # of how many layers there are
    caption: str


@dataclass(frozen=True)
class Diagram:
    columns: Sequence[Column]
    words: DiagramWords
    param: str = ""  # what a press on a layer's number sets, where layers are chosen here

    def data(self) -> dict[str, Any]:
        return plain(self)
