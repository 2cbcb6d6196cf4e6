"""A text as it is written, a token at a time: the tokens, where each was drawn on the line from 0 to 1, and where the
model looked for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from .picture import Picture


class Chip(NamedTuple):
    """A token, given or written."""

    text: str  # as it stands in the text
    name: str  # what it is called
    special: bool
    broken: bool  # bytes that are no whole character


class Listed(NamedTuple):
    """A token that might have come, and how likely the model found it."""

    id: int
    text: str
    probability: float
    drawn: bool


@dataclass(frozen=True)
class Line:
    """The line from 0 to 1 after one rule: the first shares, of the step's tokens in their order."""

    name: str
    shares: Sequence[float]
    others: str  # how many tokens have the rest; "" where none is left


@dataclass(frozen=True)
class Drawn:
    """One token that was written: of which, after which rules, where."""

    place: int  # of the drawn token among `texts`; -1 where it is farther back
    texts: Sequence[str]  # of the largest shares, in their order
    listed: Sequence[Listed]
    lines: Sequence[Line]
    point: float | None  # on the last line
    said: str  # how it was chosen


@dataclass(frozen=True)
class WrittenWords:
    """The names of buttons and rows; {n} is filled in by the browser."""

    label: str
    go: str
    stop: str
    step: str
    again: str
    count: str
    choose: str
    line: str
    looked: str
    shade: str  # a button
    plain: str  # the same again
    rest: str
    head: str = ""  # whose attention it is


@dataclass(frozen=True, eq=False)
class Written(Picture):
    """`weights` has a row for each token that was written: [key] of all that stood before it. A trail begins with
    `likely` or `looked`, where the first `sure` tokens are those of the run that is followed."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("weights",)

    tokens: Sequence[Chip]
    given: int  # how many of them
    steps: Sequence[Drawn]
    weights: Sequence[np.ndarray]
    more: bool  # whether it goes on
    chat: bool  # whether it answers what is given
    open: bool  # whether a question is: to go on is to wave it off
    waits: bool  # whether some of what was asked for is still to come
    busy: str  # said where nothing more can be computed now
    likely: str
    looked: str
    sure: int
    words: WrittenWords
    fragment: str = "picture"
