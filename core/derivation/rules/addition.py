"""Numbers of several taps added up: token, segment and position; what passed a sub-layer by, and what that wrote."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector
from .rule import Rule

SUMMANDS = ("token", "scaled", "position", "segment")


def summands(flow: Flow, place: Place) -> tuple[str, ...]:
    """The taps whose numbers are added here; where tokens are scaled, they enter as that."""
    if place.part != "embedding":
        return place.tap("skip"), place.tap("output")
    there = [tap for tap in map(place.tap, SUMMANDS) if tap in flow.dims]
    return tuple(there[1:] if place.tap("scaled") in there else there)


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return tuple(Cell(tap, index) for tap in summands(flow, place))


def steps(flow: Flow, place: Place, index: Index, *read: Vector) -> list[Step]:
    return [added(*read)]


def added(*read: Vector) -> Step:
    """The sum of single numbers; each part is called as its tap is."""
    parts = {str(part.of).split("[")[0].rsplit(".", 1)[1]: part for part in read}
    values = {name: float(part) for name, part in parts.items()}
    of = {name: part.of for name, part in parts.items() if part.of is not None}
    return Step("sum", math.fsum(values.values()), values, tuple(values.values()), of=of)


ADDITION = Rule(reads, steps)
