"""How alike two tokens are at every depth of a model, under a frame that is moved through it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Column:
    """A depth, and where its states stand on the sheet above: the source's column, then the target's."""

    title: str
    at: Sequence[float]


@dataclass(frozen=True)
class DepthWords:
    label: str
    axis: str  # what the curve is of
    curve: str  # with {first} and {second} to be filled in
    numbered: str  # behind the second, where a name has its position
    more: str
    veiled: str


@dataclass(frozen=True, eq=False)
class Depth(Picture):
    """NaN is veiled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("cosines",)

    columns: Sequence[Column]
    across: float  # how many columns wide the sheet is
    read: int  # how many of the rows are the source's
    ends: int  # letters of the longest word that a row of the sheet ends in; 0: in none
    names: Sequence[str]  # of the rows in a sentence: the, or the₅ where there are several
    only: tuple[int, int] | None  # the rows that `cosines` compares; None: all
    words: DepthWords
    cosines: np.ndarray  # [column, row, row], or of two rows [column, 1, 1]
