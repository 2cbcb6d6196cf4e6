"""The graph of dictionary words over a text, its best paths, and the pieces of several methods on one ruler."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .picture import Picture


class Arc(NamedTuple):
    """A word of the graph, in columns of characters."""

    start: int
    end: int
    word: str
    frequency: int
    gloss: str


class Mark(NamedTuple):
    """A piece of a row. A byte in the middle of a character is a fraction of its column; pieces may overlap."""

    text: str
    start: float
    end: float
    kind: str  # a class of the stylesheet
    tag: str  # under it
    say: str


@dataclass(frozen=True)
class Row:
    """One method."""

    label: str
    hint: str
    pieces: Sequence[Mark]


class Way(NamedTuple):
    """A path through the graph, as it is listed."""

    rank: int
    text: str
    value: str
    note: str


@dataclass(frozen=True)
class LatticeWords:
    label: str
    say: str  # of an arc: {word}, {frequency}
    ranks: Sequence[str]
    unseen: str  # the ranks of those that are kept back
    legend: Mapping[str, str]  # what is drawn so, by its class in the stylesheet
    veiled: str
    others: str  # over the rows after the first


@dataclass(frozen=True, eq=False)
class Lattice(Picture):
    text: str
    edges: Sequence[Arc]
    ways: Sequence[Sequence[int]]  # of each path, where its words stand among the edges
    rows: Sequence[Row]
    paths: Sequence[Way]
    kept: int  # so many more are kept back while a question is open
    asked: int | None  # the word that it asks about, by its place among the edges
    key: Mapping[str, str]  # the parameters this was made for: where one has moved, it is drawn anew
    words: LatticeWords
    fragment: str = "picture"  # the piece of the page that is drawn anew then
