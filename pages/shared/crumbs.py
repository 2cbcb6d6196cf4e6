"""How a number is written in the address, and read back: its name and its index, layers and heads counted from 1.

encoder.3.attention.weights.9.5.6 is a cell, embedding.token_table.weight.1996.17 a parameter; of a whole row, without
the last place, length.<row>, cosine.<row>-<row> and ratio.<row>-<row> are measured; of a head's weights, without the
last two, does_previous.<head> and its like (core.views.heads.MEASURES).
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from core.derivation import Cell, Origin, Weight
from core.derivation.measures import Cosine, Habit, Length, Measure, Ratio
from core.errors import InputError
from core.views import heads
from core.zoo import Model
from pages.shared.cells import Cells, in_range

BETWEEN = "~"
AND = "-"  # between the rows of a cosine
Start = Origin | Measure  # what a trail may begin with; each step further is an Origin
MEASURES: dict[str, type[Length] | type[Cosine] | type[Ratio]] = {"length": Length, "cosine": Cosine, "ratio": Ratio}
HABITS = {f"does_{name}": name for name in heads.MEASURES}


def crumb_of(model: Model, origin: Start, full: bool) -> str:
    if isinstance(origin, Habit):
        return f"does_{origin.name}.{head_crumb(model, origin.head)}"
    if isinstance(origin, Measure):
        kind = next(name for name, made in MEASURES.items() if isinstance(origin, made))
        return f"{kind}.{AND.join(row_crumb(model, row) for row in origin.rows)}"
    places = (int(i or 0) + first for i, first in zip(origin.index, first_index(model, origin), strict=True))
    return ".".join([spoken(origin.name, full), *map(str, places)])


def row_crumb(model: Model, row: Origin) -> str:
    return crumb_of(model, replace(row, index=(*row.index[:-1], 0)), full=True).removesuffix(".0")


def head_crumb(model: Model, head: Cell) -> str:
    return crumb_of(model, head, full=True).removesuffix(".0.0")


@lru_cache(4096)
def spoken(name: str, full: bool) -> str:
    """A name as it stands in the address."""
    *path, word = name.split(".")
    return ".".join([*(str(int(part) + 1) if part.isdecimal() else part for part in path), word]) if full else word


def first_index(model: Model, origin: Origin) -> tuple[int, ...]:
    """Of each axis, what it is counted from in the address: heads from 1."""
    dims = model.tap_dims[origin.name] if isinstance(origin, Cell) else ("",) * len(origin.index)
    return tuple(dim == "head" for dim in dims)


def free(cells: Cells, crumb: str) -> Start | None:
    """The cell of any tap, the number of any parameter, or the measure of their rows, that is written so."""
    kind, _, written = crumb.partition(".")
    if measure := MEASURES.get(kind):
        rows = [row for row in (row_of(cells, one) for one in written.split(AND)) if row is not None]
        wanted = len(fields(measure))
        return measure(*rows) if len(rows) == wanted == written.count(AND) + 1 else None
    if kind in HABITS:
        return habit_of(cells, HABITS[kind], written)
    return free_number(cells, crumb)


def habit_of(cells: Cells, name: str, crumb: str) -> Habit | None:
    """What a head does, where this sentence has a row that may do it."""
    first = free_number(cells, f"{crumb}.0.0")
    if not isinstance(first, Cell) or not first.name.endswith(".attention.weights"):
        return None
    found = Habit(name, replace(first, index=(first.index[0], None, None)))
    with suppress(InputError):
        cells.value(found)
        return found


def row_of(cells: Cells, crumb: str) -> Origin | None:
    """A whole row of a tap or of a table: written as one of its numbers, without the last place."""
    first = free_number(cells, f"{crumb}.0")
    return first and replace(first, index=(*first.index[:-1], None))


def free_number(cells: Cells, crumb: str) -> Origin | None:
    taps = (Cell(tap, (None,) * len(dims)) for tap, dims in cells.flow.dims.items())
    learned = (Weight(name, (None,) * parameter.ndim) for name, parameter in parameters(cells.page.model))
    return found(cells, crumb, (*taps, *learned), full=True)


def parameters(model: Model) -> Iterator[tuple[str, Any]]:
    """Every parameter, under the names that taps have too."""
    for part, module in model.parts.items():
        yield from module.named_parameters(prefix=part, recurse=False)


def found(cells: Cells, crumb: str, rows: Sequence[Origin], full: bool) -> Origin | None:
    """Which number of these rows a crumb stands for."""
    for row in rows:
        name = spoken(row.name, full)
        if crumb.startswith(f"{name}."):
            places = crumb[len(name) + 1 :].split(".")
            if all(place.isascii() and place.isdecimal() and len(place) < 10 for place in places):
                index = tuple(
                    int(place) - i for place, i in zip(places, first_index(cells.page.model, row), strict=False)
                )
                origin = type(row)(row.name, index)
                fits = len(index) == len(places) == len(row.index)
                if fits and in_range(cells, origin) and row.covers(origin):
                    return origin
    return None
