"""How much lies under a number: from the shapes alone, without a single captured number."""

from itertools import product
from math import prod

from ..capture import Capture
from ..model.places import split
from .flow import Flow
from .origins import Cell, Index
from .reading import check, rule_of

Places = frozenset[int] | None  # along one axis; None: all of them
Box = tuple[Places, ...]


def products(run: Capture, cell: Cell | str) -> int:
    """How many multiplications of two numbers lie under a cell, in all, each counted once however often its result is
    used. Divisions, exponentials and sums are not counted."""
    flow = Flow.of(run)
    cell = check(flow, cell)
    levels = depths(flow, cell.tap)
    boxes: dict[str, Box] = {cell.tap: tuple(frozenset({place}) for place in cell.index if place is not None)}
    made = 0
    for tap in sorted(levels, key=lambda tap: -levels[tap][1]):
        box = boxes[tap]
        if not flow.carried(tap):
            sizes = (
                len(places) if places is not None else size for places, size in zip(box, flow.shape(tap), strict=True)
            )
            made += prod(sizes) * rule_of(flow, tap).products(flow, split(tap)[0])
        for index in product(*([None] if places is None else places for places in box)):
            for read in before(flow, tap, index):
                boxes[read.tap] = joined(boxes.get(read.tap), read.index)
    return made


def depth(run: Capture, cell: Cell | str) -> int:
    """How many steps back it is at most, along the longest way."""
    flow = Flow.of(run)
    tap = check(flow, cell).tap
    return depths(flow, tap)[tap][0]


def before(flow: Flow, tap: str, index: Index) -> tuple[Cell, ...]:
    """The cells that one number, or one row, is made of."""
    if carried := flow.carried(tap):
        return (Cell(carried, index),)
    return tuple(read for read in rule_of(flow, tap).reads(flow, split(tap)[0], index) if isinstance(read, Cell))


def depths(flow: Flow, tap: str) -> dict[str, tuple[int, int]]:
    """Every tap under one, with how many steps it takes to a table at most; and the same where a tap that only carries
    counts as one, so that whoever reads another stands above it."""
    found: dict[str, tuple[int, int]] = {}

    def measure(tap: str) -> tuple[int, int]:
        if tap not in found:
            under = [measure(read.tap) for read in before(flow, tap, (None,) * len(flow.dims[tap]))]
            own = 0 if flow.carried(tap) else 1
            found[tap] = own + max((d for d, _ in under), default=0), 1 + max((h for _, h in under), default=0)
        return found[tap]

    measure(tap)
    return found


def joined(box: Box | None, index: Index) -> Box:
    """A box and one more index in it. The two differ along one axis at most, or one lies in the other."""
    places = tuple(None if axis is None else frozenset({axis}) for axis in index)
    if box is None:
        return places
    return tuple(None if a is None or b is None else a | b for a, b in zip(box, places, strict=True))
