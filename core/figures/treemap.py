"""Parts of a whole as rectangles in one, each as large as its share."""

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
    side: str = ""  # "attention" or "feedforward", which have a colour of their own, as in a river
    made: Sequence[Sequence[int]] = ()  # while a question is open: rows and columns of the matrices it is made of
    layers: int = 1  # how often it is there
    words: Sequence[str] = ()  # the same in words


@dataclass(frozen=True)
class Treemap:
    param: str  # what a press on a part selects
    first: str  # the part that is selected while the address has none
    parts: Sequence[Part]  # while a question is open, what each is made of, and not how large it is
    label: str
    veiled: bool
    small: str  # the name of those too small for one, together
    note: str = ""  # above what the parts are made of
    cut: str = ""  # the same where a matrix is too long to be drawn whole

    def data(self) -> dict[str, Any]:
        return plain(self)
