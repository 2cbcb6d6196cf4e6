"""A translation as it is written, step by step, and where each word looked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from .picture import Picture


class Might(NamedTuple):
    """A word that might come next."""

    text: str
    probability: float
    taken: bool
    id: int  # of its row in the vocabulary


class Kept(NamedTuple):
    """A translation that is kept, as far as it is written."""

    text: str
    log_probability: float
    score: float
    taken: bool
    trails: tuple[str, str] = ("", "")  # how one begins with either number; "" where it cannot be followed


@dataclass(frozen=True)
class Step:
    """Of one row: what might come next, or, keeping several at once, what is kept once it has come."""

    candidates: Sequence[Might] = ()
    beams: Sequence[Kept] = ()


@dataclass(frozen=True)
class DecodingWords:
    """The names of the buttons, of the rows and of the lists; {step} and {steps} are filled in by the browser."""

    label: str
    first: str
    back: str
    play: str
    pause: str
    on: str
    last: str
    step: str
    source: str
    written: str
    given: str
    earlier: str  # at the lines of words that are written already
    candidates: str
    rest: str  # of the candidates that are not named; {count}
    beams: str
    log: str
    score: str


@dataclass(frozen=True, eq=False)
class Decoding(Picture):
    """Row q is given `given[q]` and writes `written[q]`; the parameters `layer` and `head` say whose weights are drawn.
    A row of NaN must not be seen yet."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("planes",)

    source: Sequence[str]
    given: Sequence[str]
    written: Sequence[str]
    special: Sequence[bool]  # of the source
    glosses: Sequence[tuple[int, int, str]]  # of the source's words: from, to, what they mean
    meanings: Sequence[str]  # of each written word; "" where nothing is to be said
    planes: Mapping[str, np.ndarray]  # "layer/head" -> [given, source]
    steps: Sequence[Step]  # a row each
    vocabulary: int  # how many words each step chooses from
    words: DecodingWords
