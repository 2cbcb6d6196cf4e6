"""A vocabulary growing: words as trees of merges, the candidates of each step, and the pieces."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .picture import Picture


class Pair(NamedTuple):
    """A candidate: how often together, how often each, and what it is judged by, as it is written. What would answer an
    open question is not there."""

    left: str
    right: str
    frequency: int | None
    of_left: int
    of_right: int
    value: str | None


class Made(NamedTuple):
    """A step: the winner, the piece it became, among how many pairs it won, and how many of them were as good, itself
    included. `new` is 0 where the vocabulary had the piece already."""

    left: str
    right: str
    made: str
    new: int
    among: int
    tied: int
    candidates: Sequence[Pair]


@dataclass(frozen=True)
class MergesWords:
    label: str
    words: str
    open: str  # instead of `words`, while it is asked which two are merged
    candidates: str  # with {count}
    vocabulary: str  # with {specials}, {alphabet}, {merged}, {size}
    start: str
    back: str
    step: str
    end: str
    at: str  # with {step}, {steps}
    size: str
    pair: str
    together: str
    left: str
    right: str
    value: str  # "" where the frequency itself decides
    tied: str  # with {tied}
    more: str  # with {count}
    done: str
    stopped: str
    nothing: str
    too_small: str  # with {size}
    beyond: str  # with {size}


@dataclass(frozen=True, eq=False)
class Merges(Picture):
    counts: Sequence[tuple[str, int]]  # the words that are shown
    hidden: int  # so many more are not
    marked: bool  # whether pieces that continue a word begin with ##
    specials: Sequence[str]
    alphabet: Sequence[str]
    steps: Sequence[Made]
    most: int  # merges after which it stops
    veiled: bool
    asks: bool  # whether it is open which two of these pieces are merged next
    among: int  # of so many pairs, while a question is open
    pairs: Sequence[Pair]  # these, in the order of the alphabet
    asked: Sequence[str]  # and these of them may be answered
    followed: str  # and this one is followed
    key: Mapping[str, str]  # the parameters this was made for: where one has moved, it is drawn anew
    words: MergesWords
    fragment: str = "picture"
