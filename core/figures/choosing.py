"""How the next word is chosen: one state above the rows of the table that answer it most, with logit and share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Row:
    """A row of the table: its dot product with the state, and its share of all."""

    id: int
    rank: int  # from 1; 0 where it must not be seen yet
    text: str
    logit: str
    share: str
    part: float  # the share, from 0 to 1
    note: str = ""  # what sets it apart: the word that is written, the word that was given


@dataclass(frozen=True)
class Worked:
    """How a row comes to its score, on one that is not asked about."""

    row: str  # whose row it is
    example: str
    products: str
    sum: str
    score: str


@dataclass(frozen=True)
class ChoosingWords:
    label: str
    state: str  # whose state stands above
    another: str  # how to read another
    products: str  # of the state and a row
    added: str  # how many of them a bar adds up, with {n}
    logit: str
    sum: str  # under that: of the products
    share: str
    rest: str  # all other rows together
    rest_share: str
    rest_trail: str  # how a trail begins with it; "" where it cannot be followed


@dataclass(frozen=True, eq=False)
class Choosing(Picture):
    """A press on a row of the table sets `word`. The table has the row that is `worked` out behind those of `rows`."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("state", "table")

    rows: Sequence[Row]
    first: int  # the id that is selected while the address has none
    d_model: int
    state: np.ndarray  # [d_model]
    table: np.ndarray  # [row, d_model]
    words: ChoosingWords
    veiled: bool = False  # while the question is open: the rows it asks about, none of them to be pressed
    worked: Worked | None = None
