"""How alike two tokens are at every depth of a model, under a frame that is moved through it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Column:
    """A depth, and the shape of the states there."""

    title: str
    shape: str


@dataclass(frozen=True)
class DepthWords:
    label: str
    curve: str  # with {first} and {second} to be filled in
    more: str
    veiled: str


@dataclass(frozen=True, eq=False)
class Depth(Picture):
    """NaN is veiled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("cosines",)

    columns: Sequence[Column]
    names: Sequence[str]  # of the rows in a sentence: the, or the₅ where there are several
    only: tuple[int, int] | None  # the rows that `cosines` compares; None: all
    words: DepthWords
    cosines: np.ndarray  # [column, row, row], or of two rows [column, 1, 1]
