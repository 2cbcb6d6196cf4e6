"""One vector at several moments, lane under lane, for every choice the browser switches between by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Lane:
    id: str
    label: str
    tall: int  # pixels
    fixed: bool  # whether it is the same in every plane
    folded: bool = False  # whether it waits until it is asked for, or followed


@dataclass(frozen=True)
class Bells:
    """The same vector at its moments as distributions, each over an axis."""

    rows: Sequence[str]  # the lanes that are drawn
    about: str  # from where the norm measures the size: "mean", "zero", or "" of one that does neither
    formulas: Mapping[str, str]  # of a lane, how it was made
    measures: Mapping[str, Mapping[str, Sequence[str]]]  # plane -> lane -> its mean and size, in words
    names: Mapping[str, str]  # value of the parameter that says how the vector was changed -> what it is called
    span: str  # how many times as far as the others the first axis reaches
    beyond: Mapping[str, str]  # what is said of the "smallest" and the "largest" number where an axis ends before it


@dataclass(frozen=True)
class LanesWords:
    label: str
    key: Mapping[str, str]  # of the hills: a mark -> what it stands for
    bars: str  # what is to be said of the lanes once they are unfolded
    dim: str
    veiled: str
    all: str  # on what shows the folded lanes, too,
    fewer: str  # ... and folds them again


@dataclass(frozen=True, eq=False)
class Lanes(Picture):
    """The parameters of `name`, joined by "/", say which plane is shown; a plane has every lane that is not fixed."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("fixed", "planes")

    name: tuple[str, ...]
    lanes: Sequence[Lane]
    count: int  # dimensions
    fixed: Sequence[np.ndarray]  # of each fixed lane, [count]
    planes: Mapping[str, np.ndarray]  # [lane, count]; NaN where it must not be seen yet
    stats: Mapping[str, Mapping[str, Sequence[tuple[str, str, str]]]]  # plane -> lane -> what is followed, words, exact
    said: Mapping[str, str]  # plane -> what the change moved
    band: Mapping[str, tuple[float, float] | None]  # plane -> mean and standard deviation of the first lane
    words: LanesWords
    bells: Bells
    given: str = "given"  # the parameter that says how the vector was changed,
    base: str = "as_is"  # ... and its value that changes nothing
    part: str = "part"  # the parameter of a lane
    dim: str = "dim"  # the parameter of a column
