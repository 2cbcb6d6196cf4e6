"""One layer in several arrangements: where the norms sit, and how far each state's numbers spread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class State:
    """A place in a layer, and the standard deviation there."""

    id: str
    name: str
    spread: float


@dataclass(frozen=True)
class Sublayer:
    id: str
    name: str


@dataclass(frozen=True)
class Arrangement:
    id: str
    norm: str
    title: str
    formula: str
    note: str
    entrance: bool  # whether a norm stands before the first layer
    exit: bool  # whether one stands after the last
    stream: Sequence[float]  # the spread before the first layer and after each
    states: Sequence[Sequence[State]]  # of each layer, in the order the data meet them


@dataclass(frozen=True)
class StackWords:
    entrance: str
    exit: str


@dataclass(frozen=True)
class Stack:
    """The encoder, or the decoder."""

    layers: int
    parts: Sequence[Sublayer]
    words: StackWords
    arrangements: Sequence[Arrangement]


@dataclass(frozen=True)
class BlocksWords:
    norm: str
    in_: str
    diagram: str
    layer: str


@dataclass(frozen=True)
class Blocks:
    """Every stack at once: the browser knows which is looked at. `low` and `high` are the ends of the one scale."""

    param: str  # of the layer
    stack: str  # the parameter of the stack
    low: float
    high: float
    stacks: Mapping[str, Stack]
    words: BlocksWords

    def data(self) -> dict[str, Any]:
        return plain(self)
