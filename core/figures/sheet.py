"""The sheet: the whole model with one sentence in it, under a camera; and what is fetched when it is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Door:
    """A link to another stage; `id` is the key of Streamlit's own link to it, which the picture clicks."""

    id: str
    href: str


@dataclass(frozen=True)
class Place:
    """A column of the sheet. `side` says from where what is written there comes: "attention" joins its river from
    above, "feedforward" from below; of a state it is "". The page about it is one of the sheet's `stages`."""

    title: str
    brief: str  # the same for a column that is narrow; "" where none is written there
    tap: str
    side: str
    target: bool  # whether its rows are the target's
    stage: str  # the page that is about it
    door: str  # the id of Streamlit's own link to it; "" where there is none
    opens: str  # what it selects there, as in an address


def table(kind: type, rows: Sequence[object]) -> dict[str, list[object]]:
    """Of each field of a dataclass what all rows have there: so its name travels once."""
    return {field.name: [getattr(row, field.name) for row in rows] for field in fields(kind)}


@dataclass(frozen=True)
class Stage:
    """A page to go to: its name, and where it is; the same for many places, so said once."""

    name: str
    href: str


@dataclass(frozen=True)
class Looks:
    """One attention: the column of what it writes, whether its keys are the source's, and how many lines it has."""

    column: int
    across: bool
    count: int
    name: str


@dataclass(frozen=True)
class SheetWords:
    label: str
    whole: str
    closer: str
    farther: str
    open: str  # {stage}
    rivers: str  # the sentence of each level; on a phone this and the next stand over the picture
    sides: str  # what joins a river, behind that
    norms: str  # what follows on each, where rivers themselves are normalised
    lines: str  # behind these; {tokens} {share}
    both: str  # between these two tokens,
    last: str  # ... and of two stacks which one of the other; {token}
    strips: str  # {shown} {all}
    cells: str
    pooled: str  # {count}
    wide: str
    cut: str  # the same in the key, where a river is
    thread: str
    onward: str  # the same of what a number goes into
    back: str
    on: str
    length: str  # {token} {place} {length}
    writes: str  # {token} {place} {length} {share}
    mixed: str  # {parts}, behind what attention writes
    between: str  # those parts
    looks: str  # {query} {key} {share} {name}
    number: str  # {token} {place} {dim} {value}
    part: str  # {from} {to} {product} {share}
    others: str  # {count} {to} {rest} {share}
    into: str  # {from} {to} {product} {share}
    veiled: str
    apart: str  # {token} {place} {length} {share}
    differs: str  # {token} {place} {dim} {value}
    minus: str  # what the colours of a difference say
    scrub: str
    source: str  # the stack that reads, over its half,
    target: str  # ... and the one that writes
    play: str
    table: str
    map: str
    attention: str  # over what joins the rivers: what it is,
    cross: str
    network: str
    memory: str  # ... and at what every layer of the decoder looks at
    next: str  # over the words that the output gives, and over their probabilities
    probability: str
    entrance: str  # on a phone, over all columns before layer 1
    of_layers: str  # and before the layers' numbers


@dataclass(frozen=True, eq=False)
class Sheet(Picture):
    """`full` is how long a vector is that fills half a row; `levels` in how many columns across each level begins."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("lengths", "sums", "pairs", "shares")

    of: str  # what it is a sheet of: tiles of another do not belong to it
    tokens: Sequence[str]
    names: Sequence[str]
    special: Sequence[bool]
    read: int
    gap: float  # columns free between two stacks
    over: int  # and rows over those of the second
    said: Sequence[tuple[str, float]]  # of the rows at the end that the output reads: the word, its probability
    ends: int  # letters of the longest of these
    first: Door | None  # over the tokens
    stages: Mapping[str, Stage]
    places: Mapping[str, Sequence[object]]  # a table of every Place
    lines: Mapping[str, Sequence[object]]  # and of Looks
    full: float
    size: int  # numbers in a vector
    levels: tuple[int, int]  # strips, cells
    share: float
    words: SheetWords
    lengths: Sequence[np.ndarray]  # of each column
    sums: Sequence[np.ndarray]  # of each that is written: the state with it
    pairs: Sequence[np.ndarray]  # of each attention, query and key of a line
    shares: Sequence[np.ndarray]  # and its share, 255 for all


@dataclass(frozen=True)
class Tile:
    """Rows of one column: `width` numbers of each, the `reach` at which a colour is full."""

    column: int
    first: int
    count: int
    width: int
    reach: float


@dataclass(frozen=True, eq=False)
class Tiles(Picture):
    """What the camera looks at, to be kept; NaN is veiled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("values",)

    of: str
    level: str  # "strips" or "cells"
    tiles: Sequence[Tile]
    values: Sequence[np.ndarray]  # of each tile [row, number]


@dataclass(frozen=True)
class Knot:
    """A number in the ancestry: where on the sheet, what it is called, and the trail that a press begins."""

    x: float
    row: float
    name: str
    where: str
    value: float
    share: float
    trail: str
    learned: bool


@dataclass(frozen=True)
class Strand:
    """Of which knot which other was made a part; `of` None: a bundle of `others` terms that are not named."""

    made: int
    of: int | None
    share: float
    value: float
    left: float | None
    right: float | None
    others: int


@dataclass(frozen=True, eq=False)
class Thread(Picture):
    """The ancestry of the number that is followed; without knots where there is none."""

    of: str
    knots: Sequence[Knot]
    strands: Sequence[Strand]


@dataclass(frozen=True, eq=False)
class OneHead(Picture):
    """The lines of one head, instead of all heads' mean: the column of what its attention writes, and what is then said
    instead. Without them, nothing."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("pairs", "shares")

    of: str
    column: int | None
    count: int
    lines: str  # the sentence of the lines
    looks: str  # {query} {key} {share} {name}
    mixed: str  # {parts}
    pairs: np.ndarray  # query and key of a line
    shares: np.ndarray  # 255 for all


@dataclass(frozen=True, eq=False)
class Spread(Picture):
    """What became of a change: of each column how far every token is from where it was; nothing where none was made."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("lengths",)

    of: str  # of what sheet, and which change: tiles of the difference are of this; that of the sheet alone: none
    run: str  # how the address names the changed run; "" where that would be too long
    said: str
    swaps: Sequence[int]  # where a word is to be replaced: of each row, which word it is a part of; −1 of none
    renamed: Sequence[tuple[int, str]]  # rows where another token stands now
    words: Sequence[tuple[int, str, str]]  # where the output says another word: among its rows which, before, and after
    lengths: Sequence[np.ndarray]
