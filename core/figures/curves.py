"""Lines over whole numbers: distances over a gap, norms over positions, wavelengths over dimensions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Along:
    """The axis of whole numbers; a press sets `param` where there is one, and `also` besides."""

    count: int
    word: str
    from_: float = 0
    step: float = 1
    param: str | None = None
    also: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Upwards:
    """The other axis; where an end is None, the lines' own."""

    low: float | None = None
    high: float | None = None
    log: bool = False
    down: bool = False  # the least stands highest, as ranks do


Look = Literal["accent", "second", "faint", "band"]  # two of "band": the ground between them


@dataclass(frozen=True)
class Series:
    name: str = ""
    look: Look = "accent"
    points: bool = False  # points instead of a line
    quiet: bool = False  # its values are not said on hover: it is there to be compared with


@dataclass(frozen=True)
class Mark:
    """A point that is named: its text stands at its `anchor`, above it or below."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    below: bool = False
    clear: bool = False  # moved up to where it covers no curve


@dataclass(frozen=True)
class Level:
    """A height that is named."""

    y: float
    text: str


@dataclass(frozen=True)
class Span:
    """What holds from one place of the axis to another, both counted from 0: a box below it, so that one column is one
    place. `on` stands out."""

    first: int
    last: int
    text: str
    on: bool = False


@dataclass(frozen=True)
class CurvesWords:
    label: str
    caption: str = ""  # HTML, with numbers that can be pressed
    spans: str = ""  # of what the boxes tell


@dataclass(frozen=True, eq=False)
class Curves(Picture):
    """A line for each of `series`: `values`, [count] each; NaN is a gap."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("values",)

    x: Along
    y: Upwards
    series: Sequence[Series]
    values: Sequence[np.ndarray]
    words: CurvesWords
    height: int  # pixels
    marks: Sequence[Mark] = ()
    levels: Sequence[Level] = ()
    spans: Sequence[Span] = ()
    ends: bool = False  # whether the names stand where the lines end, not above
    legend: bool = True  # whether the names of the series stand above: once, for several pictures beside each other
