"""A sentence on its way through a model: one column a depth, one row a token, and how alike two of them are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


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
    kind: str  # what it is said of: "squares", "strips", those "negative" or "positive"; a "note" stands below


@dataclass(frozen=True)
class DepthWords:
    label: str
    curve: str  # with {first} and {second} to be filled in
    more: str
    dim: str
    veiled: str
    encoder: str
    decoder: str
    legend: Sequence[Legend]


@dataclass(frozen=True, eq=False)
class Depth(Picture):
    """The rows that are read and, under them, those that are written; NaN is veiled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("states", "cosines", "pooled")

    tokens: Sequence[str]
    special: Sequence[bool]
    ids: Sequence[int]
    read: int  # how many of the rows are read
    written: Sequence[tuple[str, float]]  # of each row that is written: the word it gives, and how probable that was
    first: Heading  # above the ids
    columns: Sequence[Column]
    dims: Sequence[int]  # the dimensions that are shown
    attention: Sequence[Attention]
    names: Sequence[str]  # of the rows in a sentence: the, or the₅ where there are several
    only: tuple[int, int] | None  # the rows that `cosines` compares; None: all
    words: DepthWords
    states: np.ndarray  # [column, row, dim]
    cosines: np.ndarray  # [column, row, row], or of two rows [column, 1, 1]
    pooled: Sequence[np.ndarray]  # of each attention its weights [row, column], as bytes
