"""A bar from 0 to 1 with a stretch for each word, as long as its probability, and the point that was drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Stretch:
    name: str
    start: float
    end: float


@dataclass(frozen=True)
class Before:
    """The same words at an earlier step: a thinner bar above, with lines from each end to where it went."""

    name: str
    rows: Sequence[Stretch]  # as many, in the same order; one that has gone ends where it starts


@dataclass(frozen=True)
class Stretches:
    rows: Sequence[Stretch]  # from 0 on, one behind the other
    point: float
    chosen: int  # the row in which the point lies
    label: str
    said: str  # at the point
    name: str = ""  # of the last step, where there are others
    before: Sequence[Before] = ()
    rest: str = ""  # what lies between the last of the rows and the point's, or behind them all, where there is room

    def data(self) -> dict[str, Any]:
        return plain(self)
