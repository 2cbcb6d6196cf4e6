"""The same words in two orders, and how far the two last vectors of each lie apart, for several readers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Read:
    """What one reader makes of two orders, token by token of the first; None where it must not be seen yet."""

    share: Sequence[float | None]  # the distance, as a share of the vector's own length
    cosine: Sequence[float | None]
    caption: str  # HTML, with numbers that can be pressed
    said: Sequence[str] = ()  # what it writes of each
    trails: Sequence[str] = ()  # how a trail begins that begins with the share of a token; where there are any

    @classmethod
    def veiled(cls, tokens: int, caption: str, said: Sequence[str] = ()) -> "Read":
        return cls([None] * tokens, [None] * tokens, caption, said)


@dataclass(frozen=True)
class Scene:
    """Two orders of the same tokens."""

    first: Sequence[str]
    second: Sequence[str]
    special: Sequence[bool]  # of the first
    partner: Sequence[int]  # for each token of the first, its place in the second
    readers: Mapping[str, Read]


@dataclass(frozen=True)
class OrdersWords:
    label: str
    bar: str  # what its height is
    veiled: str
    more: str  # said where it does not fit
    with_positions: str  # the name of the pale bars,
    without: str  # and of the numbers under them


@dataclass(frozen=True)
class Orders:
    """The parameters `order` and `reader` say which scene is shown, and whose reading."""

    scenes: Mapping[str, Scene]
    most: float  # the share that fills a bar
    rounding: float  # what is smaller is none, but for rounding
    words: OrdersWords

    def data(self) -> dict[str, Any]:
        return plain(self)
