"""Words as points of a map, in two dimensions or three, each joined to those nearest to it in the space itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class CloudWords:
    label: str
    hidden: str  # stands for a word that must not be seen yet
    cosine: str
    turn: str  # what is said of a map with three dimensions
    run: str = ""  # what stands before the iterations
    play: str = ""
    stop: str = ""
    own: str = ""  # what the colours are, where that is said: the chosen word's group; {word}
    close: str = ""  # and the words nearest to {word},
    compared: str = ""  # ... or those that it is compared with
    guess: str = ""  # what covers words while a question is open
    off: str = ""  # said of what it is compared with, where that is not on the map; {word}


@dataclass(frozen=True, eq=False)
class Cloud(Picture):
    """`near` says which words are nearest in the space, -1 for none that may be seen."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("points", "near", "cosines")

    param: str  # what is selected here: a word
    also: Mapping[str, object]  # what a click sets besides
    texts: Sequence[str]
    groups: Sequence[int]  # of each word, its place in `names`
    names: Sequence[str]
    dimensions: int
    points: np.ndarray  # [word, 2 or 3]
    near: np.ndarray  # [word, k]
    cosines: np.ndarray  # [word, k]
    words: CloudWords
    snapshots: Sequence[int] = field(default_factory=list)  # iterations of a run that can be played
    snapshot: int = 0  # the one that is seen
    fixed: bool = False  # whether a click selects nothing
    by: str = "snapshot"  # the parameter that the run moves
    ends: Sequence[tuple[float, float]] = ()  # where the map ends along each axis, if it does not fit the points
    each: int = 3  # so many words of a group are written on the map, of the chosen word's own four times as many
    partners: Sequence[int] = ()  # each word's own, -1 for none; a pointer shows the line, the chosen has it
    to: str = ""  # what says with what the chosen word is compared, which a line leads to; else to all its nearest
    linked: Sequence[tuple[int, int, float]] = ()  # a word, one that is spoken of beside it, and their cosine
    pairs: Sequence[tuple[int, int, float]] = ()  # and such as may be compared
    asked: int = -1  # the place of the word that an open question is about: it is marked, and cannot be chosen
    before: Sequence[float] = ()  # where the chosen word was: an arrow leads from there
    legend: bool = False  # whether the names stand under the map
