"""A sentence on its way through a model: one column a depth, one row a token, and how alike two of them are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.figures.picture import Picture


@dataclass(frozen=True)
class Door:
    """A link to another stage; `id` is the key of Streamlit's own link to it, which the picture clicks."""

    id: str
    href: str


@dataclass(frozen=True)
class Heading:
    """What stands above a column; where the stage behind it exists, a door."""

    title: str
    shape: str
    door: Door | None


@dataclass(frozen=True)
class Column(Heading):
    reach: float  # the size at which a colour is full


@dataclass(frozen=True)
class Attention:
    """A small picture above a column, or in the decoder between the stacks: its size, and whose attention it is."""

    column: int
    rows: int
    columns: int
    kind: str  # "encoder", "self", "cross"
    name: str
    door: Door | None


@dataclass(frozen=True)
class Legend:
    text: str
    kind: str = ""  # "negative", "positive": in that colour


@dataclass(frozen=True)
class DepthWords:
    label: str
    curve: str
    dim: str
    veiled: str
    encoder: str
    decoder: str
    legend: Sequence[Legend]


@dataclass(frozen=True, eq=False)
class Depth(Picture):
    """The rows that are read and, under them, those that are written; NaN, or None in the curve, is veiled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("states", "pooled")

    tokens: Sequence[str]
    special: Sequence[bool]
    ids: Sequence[int]
    read: int  # how many of the rows are read
    written: Sequence[tuple[str, float]]  # of each row that is written: the word it gives, and how probable that was
    first: Heading  # above the ids
    columns: Sequence[Column]
    dims: Sequence[int]  # the dimensions that are shown
    attention: Sequence[Attention]
    pair: tuple[int, int]  # the rows that are compared
    curve: Sequence[float | None]  # their cosine in each column
    words: DepthWords
    states: np.ndarray  # [column, row, dim]
    pooled: Sequence[np.ndarray]  # of each attention its weights [row, column], as bytes
