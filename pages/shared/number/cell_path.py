"""How a number is written in the address, and read back: its name and its index, layers and heads counted from 1.

encoder.3.attention.weights.9.5.6 is a cell, embedding.token_table.weight.1996.17 a parameter. What is measured of whole
rows (core.derivation.measures.KINDS) is written with what it is measured of, without the places that are measured:
length.<row>, cosine.<row>-<row>, does_previous.<head>, alike.<tap>; of groups, pooled.<row>-<row>--<row>. What is of
another run has before it what that was given, and a "!": text=A dog barked%2E!encoder.6.output.2.17,
edit=cut!length.encoder.6.output.2.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from urllib.parse import unquote

from core.derivation import Cell, Measure, Origin, Recorded, RunSpec, Source, Weight
from core.derivation.measures import KINDS
from core.derivation.origins import RECORDED, run_of, within
from core.derivation.recorded import record
from core.edits import parse
from core.errors import InputError
from core.views.arrangements import ARRANGEMENTS
from core.zoo import SOURCES, Model, model_for
from pages.shared.number.number_names import in_range
from pages.shared.number.number_panel import Cells
from pages.shared.server import cached

BETWEEN = "~"
AND = "-"  # between the rows of a cosine
GROUP = 2 * AND  # between groups of rows
MOST = 64  # rows in groups, each of which may be of a run of its own: fewer FIT where they do
RUN = "!"  # after what another run was given
SIGNS = re.compile(r"[%~!.&=-]")  # what stands for something in an address, and is written otherwise in what was given
LONGEST = 2000  # characters of a text, as anywhere
FITS = 1200  # characters of what begins a trail: what is pressed after it stands in the address, too


def path_of(model: Model, origin: Source, full: bool) -> str:
    if given := run_of(origin):
        other = cached.model_of(given.model or model.id, given.norm) if given.model or given.norm else model
        return run_prefix(given) + RUN + path_of(other, within(origin, None), True)
    if isinstance(origin, Measure):
        opens = KINDS[origin.kind].opens(len(origin.of))
        written = [part_path(model, of, open) for of, open in zip(origin.of, opens, strict=True)]
        return f"{origin.kind}.{GROUP.join(map(AND.join, origin.grouped(written)))}"
    places = (int(i or 0) + first for i, first in zip(origin.index, first_index(model, origin), strict=True))
    return ".".join([spoken(origin.name, full), *map(str, places)])


def part_path(model: Model, of: Origin, open: int) -> str:
    """Without its last places, so many as are measured."""
    written = path_of(model, of, full=True)
    return written.rsplit(".", open)[0] if open else written


def row_path(model: Model, of: Origin, given: RunSpec | None = None, open: int = 1) -> str:
    """A row or more, of any run, as it stands in what is measured of it; "" where that is too long for an address."""
    written = part_path(model, within(of, given) if given else of, open)
    return written if len(written) <= FITS // 2 else ""


def run_prefix(given: RunSpec) -> str:
    """What a run was given: text=…&edit=cut&edit=mute:encoder%2E3%2E9."""
    said = [(name, getattr(given, name)) for name in ("text", "pair", "target", "pad_to", "model", "norm")]
    said = [*((name, str(value)) for name, value in said if value is not None), *(("edit", e.id) for e in given.edits)]
    return "&".join(f"{name}={SIGNS.sub(lambda sign: f'%{ord(sign[0]):02X}', value)}" for name, value in said)


def given_by(path: str) -> RunSpec | None:
    """The same read back; None where no run is given this."""
    pairs = [part.partition("=")[::2] for part in path.split("&") if part]
    said = {name: unquote(value) for name, value in pairs if name != "edit"}
    known = ("text", "pair", "target", "pad_to", "model", "norm")
    fits = all(name in known and len(value) <= LONGEST for name, value in said.items())
    if not fits or said.get("model", model_for("")) not in SOURCES:
        return None
    if said.get("norm", ARRANGEMENTS[0]) not in ARRANGEMENTS:
        return None
    with suppress(InputError, ValueError):
        pad_to = int(said.pop("pad_to")) if "pad_to" in said else None
        edits = tuple(parse(unquote(value)) for name, value in pairs if name == "edit")
        return RunSpec(**said, pad_to=pad_to, edits=edits)
    return None


@lru_cache(4096)
@lru_cache(maxsize=4096)
def spoken(name: str, full: bool) -> str:
    """A name as it stands in the address."""
    *path, word = name.split(".")
    return ".".join([*(str(int(part) + 1) if part.isdecimal() else part for part in path), word]) if full else word


def first_index(model: Model, origin: Origin) -> tuple[int, ...]:
    """Of each axis, what it is counted from in the address: heads from 1."""
    dims = model.tap_dims[origin.name] if isinstance(origin, Cell) else ("",) * len(origin.index)
    return tuple(dim == "head" for dim in dims)


def free(cells: Cells, path: str) -> Source | None:
    """The cell of any tap, the number of any parameter, or what is measured of their rows, that is written so."""
    before, between, rest = path.partition(RUN)
    if between and "." not in before:  # all of it is of another run
        given = given_by(before)
        source = given and free_beside(cells, given, rest)
        return source and within(source, given)
    kind, _, written = path.partition(".")
    if kind == RECORDED:
        return recorded_in(path)
    return measure_of(cells, kind, written) if kind in KINDS else free_number(cells, path)


def free_beside(cells: Cells, given: RunSpec, path: str) -> Source | None:
    """What is written so in another run, where there can be such a run."""
    with suppress(InputError):
        other = cells.beside(given)
        other.run()
        return free(other, path)
    return None


def measure_of(cells: Cells, kind: str, written: str) -> Measure | None:
    """What is measured of these, where this sentence has it."""
    grouped = KINDS[kind].grouped
    groups = [group.split(AND) for group in (written.split(GROUP) if grouped else [written])]
    each = [path for group in groups for path in group]
    opens = KINDS[kind].opens(len(each))
    if len(each) != len(opens) or len(each) > MOST:
        return None
    of = [part_of(cells, path, open) for path, open in zip(each, opens, strict=True)]
    what = Measure(kind, tuple(part for part in of if part), tuple(map(len, groups)) if grouped else ())
    with suppress(InputError):
        if all(of):
            cells.value(what)
            return what
    return None


def part_of(cells: Cells, path: str, open: int) -> Origin | None:
    """A row or more of a tap or of a table: written as one of its numbers, without the last places."""
    first = free(cells, path + ".0" * open)
    if first is None and open:  # of heads the first is 1
        first = free(cells, path + ".1" + ".0" * (open - 1))
    if not isinstance(first, (Cell, Weight)):
        return None
    return replace(first, index=(*first.index[: len(first.index) - open], *(None,) * open))


def free_number(cells: Cells, path: str) -> Origin | None:
    def begins(name: str) -> bool:
        return path.startswith(f"{spoken(name, True)}.")

    taps = (Cell(tap, (None,) * len(dims)) for tap, dims in cells.flow.dims.items() if begins(tap))
    learned = (Weight(name, (None,) * len(shape)) for name, shape in cells.model.learned.items() if begins(name))
    number = found(cells, path, (*taps, *learned), full=True)
    return number if isinstance(number, Origin) else None


def recorded_in(path: str) -> Recorded | None:
    """The number of a file that is written so: its last parts are the places in an array."""
    parts = path.split(".")
    for keys in range(2, len(parts) + 1):
        with suppress(InputError, ValueError):
            name = ".".join(str(int(part) - 1) if part.isdecimal() else part for part in parts[:keys])
            array, index = record(name), tuple(map(int, parts[keys:]))
            if array.ndim == len(index) and all(0 <= i < size for i, size in zip(index, array.shape, strict=True)):
                return Recorded(name, index)
    return None


def found(cells: Cells, path: str, rows: Sequence[Source], full: bool) -> Source | None:
    """Which of these, or which number of these rows, a path stands for."""
    for row in rows:
        if isinstance(row, Measure):
            if path == path_of(cells.model, row, full):
                return row
            continue
        if row.given:
            before, _, rest = path.partition(RUN)
            other = (within(row, None),)
            if before == run_prefix(row.given) and (one := found(cells.beside(row.given), rest, other, True)):
                return within(one, row.given)
            continue
        name = spoken(row.name, full)
        if path.startswith(f"{name}."):
            places = path[len(name) + 1 :].split(".")
            if all(place.isascii() and place.isdecimal() and len(place) < 10 for place in places):
                index = tuple(int(place) - i for place, i in zip(places, first_index(cells.model, row), strict=False))
                origin = replace(row, index=index)
                fits = len(index) == len(places) == len(row.index)
                if fits and in_range(cells, origin) and row.covers(origin):
                    return origin
    return None
