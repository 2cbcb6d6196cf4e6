"""Dimensions as waves over a window of positions, of one table or of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class WavesWords:
    """`title` and `caption` are of each kind; `dim` and `position` stand before a number."""

    label: str
    title: Mapping[str, str]
    caption: Mapping[str, str]
    dim: str
    position: str


@dataclass(frozen=True, eq=False)
class Waves(Picture):
    """`count` positions of each table. Clocks on the same page read their rows here."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("kinds",)

    from_: int  # the first position
    count: int
    positions: int  # of the whole table
    d: int
    tokens: int  # of the sentence: so many positions are taken
    kinds: Mapping[str, np.ndarray]  # [position, d_model] of each kind of table
    reach: Mapping[str, float]  # of each kind: the size that fills half a lane
    period: Sequence[float]  # [pairs]: positions to a radian
    words: WavesWords
