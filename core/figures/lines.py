"""Lines between tokens: who looks at whom, in any number of heads at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .picture import Picture

DECADES = 7
ZERO, TINY, FIRST, VEILED = 0, 1, 2, 65535
ONE = FIRST + 9000 * DECADES


def four_digits(weights: np.ndarray) -> np.ndarray:
    """Weights from 0 to 1 as two bytes each, from which the four digits that the site writes can be read back exactly.

    0 is 0; 1 is anything below 1e-7; 2 + 9000 · d + (m - 1000) is m · 10^-(4 + d); 63,002 is 1; 65,535 is NaN (veiled).

    >>> four_digits(np.array([0.0, 1e-9, 0.8357211, 0.03125, 1.0, np.nan])).tolist()
    [0, 1, 7359, 11127, 63002, 65535]
    """
    w = np.nan_to_num(np.asarray(weights, np.float64), nan=0.0)
    with np.errstate(divide="ignore"):
        decade = np.clip(np.floor(-np.log10(np.where(w > 0, w, 1e-9))), 0, DECADES)
    decade -= w >= 10.0**-decade  # log10 may be off by a hair at a power of ten
    decade = np.clip(decade, 0, DECADES - 1)
    digits = np.rint(w * 10.0 ** (4 + decade))
    code = FIRST + 9000 * decade + digits - 1000
    over = digits >= 10_000  # .99996 is 1.000, .099996 is .1000
    code = np.where(over, FIRST + 9000 * (decade - 1), code)
    code = np.where(over & (decade == 0), ONE, code)
    code = np.where(w >= 1, ONE, np.where(w < 1e-7, TINY, code))
    code = np.where(w == 0, ZERO, code)
    return np.where(np.isnan(weights), VEILED, code).astype(np.uint16)


@dataclass(frozen=True)
class LinesWords:
    """What is written on the picture and read out of it. {…} are filled in by the browser."""

    label: str
    asks: str  # over those who look
    answers: str  # over those who are looked at
    head: str  # {layer}, {head}
    all: str
    alone: str
    remove: str  # {name}
    unpin: str
    upright: str
    lying: str
    caption: str
    least: str  # {weight}: lines below it are not drawn
    veiled: str
    most: str  # over the numbers of the heads that look at a key most
    save: str
    mixed: str = ""
    help_over: str = ""  # what the tools under the picture do
    help_way: str = ""
    help_unpin: str = ""


@dataclass(frozen=True, eq=False)
class Lines(Picture):
    """The weights of heads, each plane [query, key] by `layer.head` in four digits (see `four_digits`)."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("planes",)

    id: str
    planes: Mapping[str, np.ndarray]
    queries: Sequence[str]
    keys: Sequence[str]
    heads: int  # of a layer
    words: LinesWords
    known: Mapping[str, str]  # layer.head -> what it is known for
    file: str  # name of a saved picture
    fragment: str = "picture"
    wide: float = 0  # width of a token's label, in characters, where the picture lies; 0: as they come
    all_there: bool = True  # whether every head is among the planes
    names: Mapping[str, str] = field(default_factory=lambda: {"q": "q", "k": "k", "pin": "pin"})  # the parameters
    changed: Sequence[str] = ()  # what was changed in the model
    single: bool = False  # the followed head alone, whatever is laid over it elsewhere
    at: tuple[int, int] | None = None  # the line that is followed while none is selected


@dataclass(frozen=True)
class Tile:
    layer: int
    head: int
    known: str = ""


@dataclass(frozen=True, eq=False)
class Grid(Picture):
    """Every head in small: tiles that can be sorted by any of the measures."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("small",)

    tiles: Sequence[Tile]
    rows: int
    columns: int
    ranges: Sequence[Sequence[float]]
    measures: Mapping[str, Sequence[float]]  # of each tile
    chance: Mapping[str, float]
    heads: int
    words: Mapping[str, str]
    small: np.ndarray
    does: Mapping[str, str] = field(default_factory=dict)  # what a name that a tile is known by says
