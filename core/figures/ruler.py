"""The characters of a text as columns of one ruler, and under each what every step made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .picture import plain


@dataclass(frozen=True)
class RulerRow:
    """The text at one step, told by what that changed: the columns, and what stands there now."""

    label: str
    hint: str
    changes: Sequence[tuple[int, str | None]]  # None: inside a special token that was typed


class RulerUnit(NamedTuple):
    """A word, or a special token that was typed or added."""

    kind: str
    start: int
    end: int
    text: str
    cut: str | None  # why it stands apart


class RulerPiece(NamedTuple):
    """A token of a unit, the so many-th of its walk. Those of veiled units are not sent."""

    unit: int
    step: int
    start: int
    end: int
    text: str
    id: int
    kept: bool  # whether there was a position left for it


@dataclass(frozen=True)
class RulerWords:
    label: str
    offsets: str
    added: str
    veiled: str
    say: str  # with {piece}, {id}, {start} and {end} to be filled in
    words: str
    pieces: str
    ids: str
    words_hint: str
    pieces_hint: str
    ids_hint: str
    idle: str  # which steps changed nothing; "" where each did
    legend: Sequence[tuple[str, str]]  # kind and text


@dataclass(frozen=True)
class Ruler:
    """What is added stands in a column of its own, before the text or behind it."""

    text: str  # as typed
    rows: Sequence[RulerRow]
    units: Sequence[RulerUnit]
    pieces: Sequence[RulerPiece]
    beside: bool  # whether what is followed may be no unit of the text
    veiled: Sequence[int]  # units
    words: RulerWords

    def data(self) -> dict[str, Any]:
        return plain(self)
