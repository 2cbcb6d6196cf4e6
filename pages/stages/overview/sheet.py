"""The sheet of the whole model: rivers at once, strips and cells when they are looked at, the ancestry of a number."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode
from zlib import crc32

import numpy as np

from core.derivation import Cell, Weight
from core.derivation.ancestry import NAMED, Ancestry, ancestry
from core.derivation.onward import goes_into
from core.derivation.steps import READ_OF_OTHERS
from core.figures.picture import veiled
from core.figures.sheet import (
    Knot,
    Looks,
    OneHead,
    Place,
    Sheet,
    SheetWords,
    Spread,
    Stage,
    Strand,
    Thread,
    Tile,
    Tiles,
    table,
)
from core.model.places import Place as PlaceOfModel
from core.model.places import split
from core.run_spec import RunSpec
from core.views.sheet import STRIP, Column, Lines, SheetView, pooled, reach
from pages.shared.address.address import Parameter
from pages.shared.number import trail
from pages.shared.number.cell_path import path_of
from pages.shared.number.number_panel import Cells
from pages.shared.server import cached
from pages.shared.words.number_marks import Others
from pages.stages.overview import doors, one_head, what_if
from pages.stages.overview.context import StageContext, sheet_of
from pages.stages.overview.followed import followed

STRIPS, CELLS = 20, 4  # columns across, from which on strips, and cells, are looked at
ROWS = {"strips": 128, "cells": 64}  # rows of a tile at most
STEP = 32  # rows between the beginnings of tiles
SHARE = 0.2  # from which on a look is drawn at first
STATE = 0.62  # how much of a column a vector takes; the rest is the way to the next

CAMERA = Parameter(lambda raw: raw if camera(raw) else None, None, "x,y,k", "sentence")


def camera(raw: str) -> tuple[float, float, float] | None:
    """The column at the left edge, the row at the top, and how many times nearer than the whole; None of what is none.

    >>> camera("3.5,0,8"), camera("3.5,0")
    ((3.5, 0.0, 8.0), None)
    """
    try:
        x, y, k = map(float, raw.split(","))
    except ValueError:
        return None
    return (x, y, k) if 0 <= x < 1e4 and 0 <= y < 1e5 and 1 <= k < 1e6 else None


def named(context: StageContext) -> str:
    """What a sheet is of: its numbers are others as soon as this is another."""
    return f"{crc32(repr((*context.key, context.asked.rows)).encode()):x}"


# ---- the rivers


def sheet(context: StageContext) -> Sheet:
    view = sheet_of(*context.key)
    return Sheet(
        of=named(context),
        tokens=[token.text for token in view.rows],
        names=[context.name(i) for i in range(len(view.rows))],
        special=[token.special for token in view.rows],
        read=view.read,
        gap=view.breadth - len(view.columns),
        over=view.over,
        said=said_of(context, view),
        ends=ends_of(context, view),
        first=doors.door(context, "ids"),
        stages=stages(context, view),
        places=table(Place, [place(context, column) for column in view.columns]),
        lines=table(Looks, [looks(context, view, one) for one in view.lines]),
        full=view.full,
        size=context.page.model.config.d_model,
        levels=(STRIPS, CELLS),
        share=SHARE,
        words=words(context),
        lengths=view.lengths,
        sums=[array for array in view.sums if array is not None],
        pairs=[one.pairs for one in view.lines],
        shares=[one.shares for one in view.lines],
    )


def ends_of(context: StageContext, view: SheetView) -> int:
    """How many letters wide the longest word is that a row ends in; a Chinese one is as wide as two."""
    return max((sum(1 + (letter > "\u2e7f") for letter in word) for word, _ in said_of(context, view)), default=0)


def said_of(context: StageContext, view: SheetView) -> list[tuple[str, float]]:
    """The word at the end of each row, and how sure it is; of what comes after the whole text, the latter alone."""
    said = [(one.text, round(one.probability, 3)) for one in view.said]
    return [*said[:-1], (context.t("notice.said_asked"), said[-1][1])] if context.next_is_asked else said


def looks(context: StageContext, view: SheetView, one: Lines) -> Looks:
    kind = one.place.kind
    return Looks(view.at(one.place.tap("output")), kind == "cross", len(one.shares), context.t(f"kinds.{kind}"))


def stages(context: StageContext, view: SheetView) -> dict[str, Stage]:
    """The pages that are about a column, where there are such."""
    about = dict.fromkeys(map(stage_of, view.columns))
    page = context.page
    return {slug: Stage(context.t.stage(slug), page.href(slug)) for slug in about if slug in page.links}


def place(context: StageContext, column: Column) -> Place:
    door, opens = door_of(column)
    link = context.page.address.link()
    return Place(
        title=title(context, column),
        brief=brief(context, column),
        tap=column.tap,
        side="" if column.id != "written" else "feedforward" if column.place.part == "feedforward" else "attention",
        target=column.written,
        stage=stage_of(column),
        door=door,
        opens=urlencode({name: value for name, value in opens.items() if name not in link}),
    )


def title(context: StageContext, column: Column) -> str:
    t = context.t
    if column.id in ("row", "scaled", "sum", "enter"):
        return t(f"depths.{column.id}")
    if column.id == "norm":
        return t("sheet.norm")
    part = t(f"sheet.parts.{column.place.part}")
    return t(f"sheet.{column.id}", layer=column.layer, part=part)


def brief(context: StageContext, column: Column) -> str:
    """Over what enters a stack what it is, over the first column of a layer its name: those of the curve below."""
    stack = context.page.model.stacks.get(column.place.stack)
    if column.id in ("row", "scaled", "sum", "enter"):
        return context.brief(column.id, 0)
    first = stack is not None and column.id == "written" and column.place.part == stack.parts[0]
    return context.brief("layer", column.layer) if first else ""


def door_of(column: Column) -> tuple[str, dict[str, str]]:
    """Which of the links on the page leads to the stage about a column, "" where none does, and what opens there."""
    if column.id in doors.LEADS_TO:
        return doors.door_id(column.id), {}
    if column.id == "written" and column.place.kind:
        return doors.door_id(column.place.kind, column.layer), doors.opens_on(column.place.kind, column.layer)
    opens = {"layer": str(column.layer), "part": f"{column.place.stack}.{column.place.part}"}
    return "", {**(opens if stage_of(column) == "encoder" else {}), "guess": "skip"}


def stage_of(column: Column) -> str:
    if column.id in doors.LEADS_TO:
        return doors.LEADS_TO[column.id]
    if column.id != "written":
        return "layernorm"
    return doors.LEADS_TO[column.place.kind] if column.place.kind else "encoder"


def words(context: StageContext) -> SheetWords:
    fields = SheetWords.__dataclass_fields__
    size = context.page.model.config.d_model
    own: dict[str, dict[str, object]] = {
        "lines": {"share": round(100 * SHARE)},
        "strips": {"all": size, "shown": min(STRIP, size)},
        "cells": {"all": size},
    }
    said = {name: context.t(f"sheet.{name}", **own.get(name, {})) for name in fields}
    if context.page.model.config.norm != "post":
        said["norms"] = ""
    return SheetWords(**said)


# ---- what is looked at


def tiles(context: StageContext) -> Tiles:
    """The columns and rows under the camera: pooled from afar, every number from near; none from where rivers are."""
    view, (x, y, k) = sheet_of(*context.key), camera(context.values["at"] or "") or (0, 0, 1)
    across = view.breadth / k
    level = "cells" if across <= CELLS else "strips"
    seen = [i for i, at in enumerate(view.stands) if x - 1 < at <= x + across and across <= STRIPS]
    vectors = looked_at(context, view, seen, level)
    found = [tile(context, view, i, vectors[i], window(view, i, y, level), level) for i in seen]
    found = [(one, values) for one, values in found if one.count]
    return Tiles(
        what_if.spread_id(named(context), context), level, [one for one, _ in found], [values for _, values in found]
    )


def window(view: SheetView, i: int, y: float, level: str) -> range:
    """The rows of a column that are looked at from y rows down."""
    row = view.read + max(0, int(y) - view.over) if view.columns[i].written else int(y)
    first = row // STEP * STEP
    return range(first, first + ROWS[level])


def tile(
    context: StageContext, view: SheetView, i: int, vectors: np.ndarray, window: range, level: str
) -> tuple[Tile, np.ndarray]:
    column = view.columns[i]
    own, shown = view.rows_of(column), veiled(vectors, veil(context, view, column))
    first, last = max(own.start, window.start), min(own.stop, window.stop)
    values = shown[first - own.start : max(first, last) - own.start]
    full = reach(pooled(shown, STRIP), context.page.model.config.d_model)
    return Tile(i, first, len(values), values.shape[1], round(full, 6)), values


def looked_at(context: StageContext, view: SheetView, seen: Sequence[int], level: str) -> dict[int, np.ndarray]:
    """[token, d_model] at some columns, or as strips; where something was changed, by how much that changed it. All of
    them at once: what a long text has not kept costs a pass."""
    name, text = context.key
    run, wanted = what_if.given(context), {i: view.columns[i].tap for i in seen}
    if run is None and level == "strips":
        return {i: view.strips[i] for i in seen}
    if run is None:
        found = cached.traced(name, RunSpec(text), tuple(wanted.values()))
        return {i: found[tap] for i, tap in wanted.items()}
    runs = replace(run, text=text, edits=()), replace(run, text=run.text or text)
    before, after = (cached.traced(name, one, tuple(wanted.values())) for one in runs)
    apart = {i: after[tap] - before[tap] for i, tap in wanted.items()}
    return {i: pooled(one, STRIP) for i, one in apart.items()} if level == "strips" else apart


def spread(context: StageContext) -> Spread:
    """How far a change spreads."""
    return what_if.spread(context, named(context))


def head(context: StageContext) -> OneHead:
    """The lines of one head."""
    return one_head.one_head(context, named(context), SHARE)


def veil(context: StageContext, view: SheetView, column: Column) -> Sequence[int]:
    """The rows that would answer the open question: those of the asked token, from some layer on."""
    first = context.veiled_from - (len(context.view.depths) - context.view.layers) + 1
    if context.asked.row is None or (column.layer or (0 if column.id != "norm" else first)) < first:
        return ()
    own = view.rows_of(column)
    return [row - own.start for row in context.asked.rows if row in own]


# ---- the thread


def thread(context: StageContext) -> Thread:
    """The ancestry of the last captured number on the trail, opened wide where the trail goes to its other terms; or
    what that number goes into."""
    if context.veiled or not context.values["trail"]:
        return Thread(named(context), (), ())
    return thread_of(context.only("trail", "way", "depth", "q", "k"))


@cached.shared
def thread_of(context: StageContext) -> Thread:
    shown, asked = followed(context), context.values["trail"]
    way = trail.taken(trail.cells_of(context, shown), shown, trail.begun(shown), asked)
    steps = list(way.at) if way else []
    found = next((step for step in reversed(steps) if isinstance(step.source, Cell) and step.cells.own), None)
    if found is None:
        return Thread(named(context), (), ())
    assert isinstance(found.source, Cell)
    cells, view = found.cells, sheet_of(*context.key)
    wide = READ_OF_OTHERS if isinstance(steps[-1].source, Others) else NAMED
    on = context.values["way"] == "on"
    made = goes_into(cells.run(), found.source) if on else ancestry(cells.run(), found.source, opened=wide)
    knots = [knot(cells, view, made, i) for i in range(len(made.nodes))]
    return Thread(named(context), knots, [Strand(**vars(edge)) for edge in made.edges])


def knot(cells: Cells, view: SheetView, made: Ancestry, i: int) -> Knot:
    node = made.nodes[i]
    learned = isinstance(node.source, Weight)
    name = cells.short(node.source)
    where = cells.where(node.source) if isinstance(node.source, Cell) else name
    x, row = stands(cells, view, node.source) if isinstance(node.source, Cell) else beside(cells, view, made, i)
    return Knot(round(x, 5), row, name, where, node.value, node.share, path_of(cells.model, node.source, True), learned)


def beside(cells: Cells, view: SheetView, made: Ancestry, i: int) -> tuple[float, float]:
    """What was learned stands before, and above, the first number that is made of it."""
    into = next(made.nodes[edge.made].source for edge in made.edges if edge.of == i)
    assert isinstance(into, Cell)
    x, row = stands(cells, view, into)
    return max(0.05, x - 0.3), row - 0.42


INSIDE = {  # of a sub-layer: how far on the way from what enters to what is written a tap stands; all others half
    "key": 0.1,
    "rotated_key": 0.2,
    "shared_key": 0.25,
    "query": 0.2,
    "rotated_query": 0.3,
    "value": 0.4,
    "shared_value": 0.45,
    "weights": 0.65,
    "context": 0.85,
    "hidden": 0.3,
    "gate": 0.3,
    "activated": 0.7,
}


def stands(cells: Cells, view: SheetView, cell: Cell) -> tuple[float, float]:
    """Column and row of a cell: in a vector at its dimension, in a sub-layer on the way to what that writes."""
    dims, row, (place, word) = cells.flow.dims[cell.tap], row_of(cells, view, cell), split(cell.tap)
    part = (int(cell.index[-1] or 0) + 0.5) / cells.flow.shape(cell.tap)[-1] if dims[-1].startswith("d_") else 0.5
    at = view.column_of(cell.tap)
    if at is not None:
        return at + STATE * part, row
    if place.layer is None:
        return outside(view, place, dims) + 0.1 * (part - 0.5), row
    written = view.at(replace(place, norm=False).tap("output"))
    way, first = 1 - STATE, place.norm and cells.model.config.norm == "pre"
    if first or not (place.norm or word == "residual"):
        return written - way * (1 - (0.05 if first else INSIDE.get(word, 0.5))) + 0.1 * (part - 0.5), row
    return written + STATE + 0.7 * way + 0.1 * (part - 0.5), row


def outside(view: SheetView, place: PlaceOfModel, dims: Sequence[str]) -> float:
    """Where what has no column and stands in no layer is drawn: the output behind all, the parts of a norm just before
    what that makes, what is added just before the sum."""
    if place.part == "output":
        return len(view.columns) - 0.15
    target, ids = "target" in dims, ("enter", "sum") if place.norm else ("sum", "enter")
    own = {column.id: i for i, column in enumerate(view.columns) if column.written == target}
    return next((own[id] for id in ids if id in own), own["written"]) - (1 - STATE) / 2


def row_of(cells: Cells, view: SheetView, cell: Cell) -> float:
    """The row of the token that a cell is of; of a look from one to another, the one that looks."""
    for dim, index in cells.along(cell).items():
        side = cells.run().side(cell.tap, dim)
        if side:
            return float(index + (view.read if side is cells.run().target_in and cells.model.translates else 0))
    return 0.0
