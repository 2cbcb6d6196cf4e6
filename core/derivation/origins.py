"""Where a number is from: a cell of a tap, a parameter of the model, or what was measured of whole rows of these."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from operator import index as whole
from typing import Any, Self, TypeVar

from ..errors import InputError
from ..run_spec import RunSpec

Axis = int | None  # a place along an axis, or all of it
Index = tuple[Axis, ...]
RECORDED = "recorded"  # before the names of arrays in files
WRITTEN = re.compile(r"([\w.]+)\[([\d, -]*)\]")
T = TypeVar("T")


def places(index: Any) -> Index:
    """An index as Python's own integers, whosever they were, and None for a whole axis; one place may stand alone.

    >>> import numpy as np
    >>> places(np.unravel_index(59, (12, 9, 9))), places([3, None]), places(np.int64(-1))
    ((0, 6, 5), (3, None), (-1,))

    Raises InputError for anything else: a bool, a float, a slice.
    """
    try:
        listed = tuple(index)
    except TypeError:  # an array of no axes has nothing to go through, either
        listed = (index,)
    if all(axis is None or type(axis) is int for axis in listed):
        return listed
    return tuple(None if axis is None else place(axis) for axis in listed)


def place(axis: Any) -> int:
    """One integer, of whatever kind. Raises InputError for what is none; True and False are none."""
    try:
        if not isinstance(axis, bool):
            return whole(axis)
    except TypeError:
        pass
    raise InputError("not_an_index", place=repr(axis)[:80])


@dataclass(frozen=True)
class Origin:
    """A number in an array that has a name; all counted from 0. Where the index says None, it is the whole axis.
    `given` says of which run it is, where that is not the one at hand. Integers of any kind are places; negative ones
    count from the end, as in Python, and are counted from 0 wherever the array is at hand (`inside`).

    Raises InputError for an index that is none.
    """

    name: str
    index: Index
    given: RunSpec | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", places(self.index))

    def inside(self, shape: Sequence[int]) -> Self:
        """The same number of an array of this shape, its places counted from 0.

        >>> str(Cell("encoder.5.output", (-1, None)).inside((9, 384)))
        'encoder.5.output[8,:]'

        Raises InputError where that has no such place, or another number of axes.
        """
        there = len(self.index) == len(shape) and all(
            axis is None or -size <= axis < size for axis, size in zip(self.index, shape, strict=True)
        )
        if not there:
            raise InputError("cell_outside", cell=str(self)[:80], shape=" × ".join(map(str, shape)))
        if all(axis is None or axis >= 0 for axis in self.index):
            return self
        counted = (axis if axis is None else axis % size for axis, size in zip(self.index, shape, strict=True))
        return replace(self, index=tuple(counted))

    def at(self, *places: int) -> Self:
        """One number of a row: these places stand where the index says None.

        >>> str(Cell("encoder.2.attention.query", (8, 5, None)).at(23))
        'encoder.2.attention.query[8,5,23]'
        """
        rest = iter(places)
        return replace(self, index=tuple(next(rest) if axis is None else axis for axis in self.index))

    def covers(self, other: "Origin") -> bool:
        """Whether the other lies within this one."""
        return (type(self), self.name, self.given) == (type(other), other.name, other.given) and all(
            mine in (None, its) for mine, its in zip(self.index, other.index, strict=True)
        )

    @property
    def slices(self) -> tuple[int | slice, ...]:
        """The index as NumPy takes it."""
        return tuple(slice(None) if axis is None else axis for axis in self.index)

    def __str__(self) -> str:
        where = "" if self.given is None else f"({self.given}) "
        return f"{where}{self.name}[{','.join(':' if axis is None else str(axis) for axis in self.index)}]"


@dataclass(frozen=True)
class Cell(Origin):
    """A number that passed a tap: `Cell("encoder.2.attention.weights", (8, 5, 6))`."""

    @property
    def tap(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> "Cell":
        """The cell that is written so.

        >>> Cell.parse("encoder.2.attention.weights[8,5,6]")
        Cell(name='encoder.2.attention.weights', index=(8, 5, 6), given=None)

        Raises InputError for anything else.
        """
        found = WRITTEN.fullmatch(text.strip())
        try:
            places = [int(place) for place in found[2].split(",")] if found else None
        except ValueError:  # nothing between two commas, or too many digits
            places = None
        if found is None or places is None:
            raise InputError("not_a_cell", text=text[:80])
        return cls(found[1], tuple(places))


@dataclass(frozen=True)
class Weight(Origin):
    """A learned number: `Weight("embedding.token_table.weight", (1996, 17))`. Here a way back ends."""


@dataclass(frozen=True)
class Recorded(Origin):
    """A number in a file (recorded.py): `Recorded("recorded.lengths.kinds.3.losses", (7,))`. Here, too, a way ends."""


@dataclass(frozen=True)
class Measure:
    """What is measured of whole rows (measures.py): `Measure("cosine", (one, other))`. An origin in `of` has None for
    every axis that is measured. Where the kind is of groups, `groups` says how many of them are in each. What it is of
    may be one origin alone, or any sequence of them. Raises InputError for what is no origin."""

    kind: str
    of: tuple[Origin, ...]
    groups: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        of = (self.of,) if isinstance(self.of, Origin | str) else tuple(self.of)
        for origin in of:
            if not isinstance(origin, Origin):
                raise InputError("not_an_origin", kind=self.kind, what=repr(origin)[:80])
        object.__setattr__(self, "of", of)

    def __str__(self) -> str:
        return f"{self.kind}({' | '.join(', '.join(map(str, group)) for group in self.grouped(self.of))})"

    def grouped(self, each: Sequence[T]) -> list[Sequence[T]]:
        """What there is of each origin, by their groups; all in one where there are none."""
        ends = (0, *accumulate(self.groups)) if self.groups else (0, len(each))
        return [each[start:end] for start, end in pairwise(ends)]


Source = Origin | Measure
S = TypeVar("S", Origin, Cell, Weight, Recorded, Measure, Source)


def within(source: S, given: RunSpec | None) -> S:
    """The same number of a run that was given this; of the run at hand where that is None."""
    if isinstance(source, Measure):
        return replace(source, of=tuple(replace(of, given=given) for of in source.of))
    return replace(source, given=given)


def run_of(source: Source) -> RunSpec | None:
    """The other run that all of it is of; None where it is of the one at hand, or of several."""
    runs = {of.given for of in (source.of if isinstance(source, Measure) else (source,))}
    return runs.pop() if len(runs) == 1 else None
