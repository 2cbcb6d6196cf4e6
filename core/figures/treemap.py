"""Parts of a whole as rectangles of one square, each as large as its share; beside it whole models at one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Part:
    """One rectangle: `share` of the whole, 0 to 1."""

    id: str
    name: str
    value: str
    said: str  # its share, in words
    share: float


@dataclass(frozen=True)
class Model:
    """One square of the second picture: `side` is 1 for the largest, and its area is as its number of parameters."""

    id: str
    name: str
    value: str
    side: float


@dataclass(frozen=True)
class Treemap:
    param: str  # what a press on a part selects
    first: str  # the part that is selected while the address has none
    parts: Sequence[Part]  # none while a question is open
    models: Sequence[Model]
    chosen: str  # the model whose parts are drawn
    pick: str  # the parameter that a press on a model sets
    label: str
    scale: str  # what stands above the squares
    veiled: str

    def data(self) -> dict[str, Any]:
        return plain(self)
