"""Any real matrix as a heat map, and thumbnails of the planes it can switch to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from .picture import Picture, pooled


@dataclass(frozen=True)
class Follows:
    """Rows that follow another parameter until one is chosen by hand: a table's row follows the token."""

    param: str
    rows: Sequence[int | None]  # of each value of `param`; None where it must not be seen yet


@dataclass(frozen=True)
class Window:
    """Where a plane lies in a matrix that is too large to send."""

    from_: int  # its first row
    labels: Sequence[str]
    ids: Sequence[int | None] | None = None


@dataclass(frozen=True)
class Axis:
    """Rows or columns: the parameter a click sets, how many there are, and what they are called."""

    param: str
    count: int
    labels: Sequence[str] | None = None  # where None, `word` and a number
    from_: int = 0
    word: str = ""
    ids: Sequence[int | None] | None = (
        None  # of rows: written beside the labels, which begin at the edge; of columns: what each sets
    )
    of: int | None = None  # all there are, where only some are sent
    asked: Sequence[int] = ()  # of rows: those that the open question names
    room: int | None = None  # of rows: characters that a label may take
    gutter: str | None = None  # of rows, "one": x of x·E, a single 1; "none": the same width, empty
    ticks: bool = True  # of rows that follow: whether each is marked beside the whole
    follows: Follows | None = None
    windows: Sequence[Window] | None = None

    @classmethod
    def part(cls, param: str, labels: Sequence[str], shown: slice) -> "Axis":
        """Some places of many; a click sets the place among all."""
        return cls(param, len(labels[shown]), labels[shown], shown.start)

    @classmethod
    def of_windows(cls, param: str, windows: Sequence[Window], **more: object) -> "Axis":
        """Rows that are sent in windows, opened on the first."""
        first = windows[0]
        shown = {"labels": first.labels, "from_": first.from_, "ids": first.ids, "windows": windows}
        return cls(param, len(first.labels), **{**shown, **more})  # type: ignore[arg-type]


@dataclass(frozen=True)
class Whole:
    """All of a matrix that is too large to send, averaged in blocks [row, column]."""

    rows: int
    columns: int
    of: tuple[int, ...]  # the real shape
    reach: float  # the size at which its colour is full
    tall: int = 56  # pixels


def whole_of(blocks: np.ndarray, shape: tuple[int, ...], reach: float | None = None, tall: int = 56) -> Whole:
    high = float(np.abs(np.nan_to_num(blocks)).max()) if reach is None else reach
    return Whole(blocks.shape[0], blocks.shape[1], shape, high, tall)


@dataclass(frozen=True)
class MatrixWords:
    """What is written on a matrix and read out of it."""

    label: str
    range: str
    marks: str
    veiled: str
    title: str = ""  # over the picture
    caption: str = ""
    captions: Mapping[str, str] | None = None  # of each value of `reach_by`
    whole: str = ""
    gutter: str = ""
    corner: str = ""  # over the names of the rows: what those of the columns count
    axes: Sequence[str] = ()  # what rows and columns are, at their corner
    one: str = ""  # under the gutter: what stands in it
    help: str = ""  # what marking does


@dataclass(frozen=True, eq=False)
class Matrix(Picture):
    """A stack of planes [row, column] of one shape. The parameters of `name`, joined by "/", say which is shown."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("planes", "blocks")

    id: str
    planes: Mapping[str, np.ndarray]
    rows: Axis
    columns: Axis
    words: MatrixWords
    name: tuple[str, ...] = ()
    fragment: str = "picture"  # the piece of the page that is drawn anew where a plane is lacking
    reach: float | Mapping[str, float] | None = None  # the size at which a colour is full; None: the plane's own
    reach_by: str | tuple[str, ...] | None = None  # whose value decides, where there are several
    root: bool = False  # whether colours deepen with the cube root of a number: many are small beside the largest
    signed: bool | None = None  # whether colours have two ends; None: where a cell is negative
    tall: int | None = None  # pixels of all rows together
    band: int = 0  # pixels that the names of columns take at least: as many as those of a picture beside it
    side: int | None = None  # pixels that a square one is wide and high at most
    legend: bool | Literal["above"] = True  # below the picture, or above it beside the title
    still: bool = False  # no cell can be selected
    trail: str = ""  # of a still one: what a cell that is pressed begins, with {row}, {column} and the names of `name`
    copied: str | None = None  # its selected row is copied "down" into the matrix below, or came "up" from there
    also: Mapping[str, object] = field(default_factory=dict)  # what a click sets besides
    whole: Whole | None = None
    blocks: np.ndarray | None = None  # of the whole


@dataclass(frozen=True)
class Thumbnail:
    id: int
    name: str
    known: str = ""  # what this one is known for


@dataclass(frozen=True)
class Pooled:
    """Planes reduced by maximum, where the browser has not got them all."""

    rows: int
    columns: int
    ranges: Sequence[Sequence[float]]  # low and high of each
    reach: float | None
    words: str


@dataclass(frozen=True, eq=False)
class Thumbnails(Picture):
    """Small pictures of the planes that one parameter switches between: read from the matrix `of`, or pooled."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("small",)

    of: str
    param: str
    label: str
    word: str
    items: Sequence[Thumbnail]
    pooled: Pooled | None = None
    small: np.ndarray | None = None

    @classmethod
    def reduced(cls, planes: np.ndarray, reach: float | None, words: str, **header: object) -> "Thumbnails":
        """Of planes [item, row, column] that are too large to send."""
        small, ranges = pooled(planes)
        return cls(small=small, pooled=Pooled(*small.shape[1:], ranges, reach, words), **header)  # type: ignore[arg-type]
