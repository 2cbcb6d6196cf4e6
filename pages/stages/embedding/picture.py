"""Rows of the table, and under them, dimension under dimension, the rows that were fetched."""

from dataclasses import replace

from core.figures.controls import Control, Controls
from core.figures.matrix import Axis, Follows, Matrix, MatrixWords, Window, whole_of
from core.text.token import named
from core.views.embedding import TableSummary, averaged
from pages.shared.pictures.pictures import STACK, dimensions, matrix_words
from pages.shared.server import cached
from pages.stages.embedding.context import StageContext

ACROSS = 192  # dimensions that are shown at once: of more, a cell would be narrower than two pixels
MOVES = 64  # by how many they move on
WINDOW = 3  # rows of the table around the one that is fetched
SLAB = 90  # pixels of the whole table
ROWS = 16  # rows of the output that are shown at once
HIGH = 17  # pixels of a row
TALLEST = 272  # pixels of the output
BLOCKS = 56, 128  # of a long output, shown whole
ROOM = 3, 8  # letters of a label, at least and at most
WIDE = "\u2e80"  # what comes after it is mostly as wide as two letters
ALONE = {"k": None, "row": None}  # neither a pair nor a row looked up by hand


def words(context: StageContext, label: str, **more: object) -> MatrixWords:
    return matrix_words(context.t, label, range=context.t("range"), **more)


def controls(context: StageContext) -> Controls:
    t, view = context.t, context.view
    dims = [(i, str(i)) for i in range(view.d_model)]
    tokens = [(i, named(view.tokens, i)) for i in range(len(view.tokens))]
    return Controls(
        [
            Control("pos", t("token"), tokens, plain=True, stepper=True, also=ALONE),
            Control("dim", t("dimension"), dims, plain=True, also=ALONE),
        ]
    )


# ---- the table


def table(context: StageContext) -> Matrix:
    t, view, starts = context.t, context.view, windows_of_table(context)
    windows = [
        Window(start, view.pieces[start : start + WINDOW], list(range(start, start + WINDOW))) for start in starts
    ]
    return Matrix(
        id="table",
        planes={str(i): view.table[start : start + WINDOW, shown(context)] for i, start in enumerate(starts)},
        rows=Axis.of_windows("row", windows, room=room(context), gutter="one", follows=Follows("pos", context.fetched)),
        columns=columns(context),
        whole=whole_of(context.summary.blocks, view.table.shape, tall=SLAB),
        blocks=context.summary.blocks,
        reach=context.summary.full,
        tall=HIGH * WINDOW,
        legend=False,
        copied="down",
        also={"k": None},
        words=words(
            context,
            "table_label",
            gutter="x",
            one=t("table_one"),
            whole=t("whole_table", vocab=f"{view.vocab:,}"),
            caption=t("table_caption"),
        ),
    )


def shown(context: StageContext) -> slice:
    """The dimensions around the selected one."""
    start = round((context.dim - ACROSS / 2) / MOVES) * MOVES
    start = max(0, min(context.view.d_model - ACROSS, start))
    return slice(start, min(start + ACROSS, context.view.d_model))


def columns(context: StageContext) -> Axis:
    part, count = shown(context), context.view.d_model
    return replace(dimensions(context.t, part.stop - part.start), from_=part.start, of=count)


def windows_of_table(context: StageContext) -> list[int]:
    """First rows of the windows: one around each fetched row where they fit, and one around a row chosen by hand."""
    rows = list(dict.fromkeys(row for row in context.fetched if row is not None))
    if WINDOW * context.view.d_model * 4 * len(rows) > STACK:
        now = context.fetched[context.position]
        rows = [rows[0] if now is None else now]
    starts = [around(context, row) for row in rows]
    if context.row is not None and not any(start <= context.row < start + WINDOW for start in starts):
        starts.append(around(context, context.row))
    return starts


def around(context: StageContext, row: int) -> int:
    return max(0, min(context.view.vocab - WINDOW, row - WINDOW // 2))


def room(context: StageContext) -> int:
    """Letters that the labels of both pictures need: their columns stand under one another."""
    view, starts = context.view, windows_of_table(context)
    labels = [
        *(named(view.tokens, i) for i in range(len(view.tokens))),
        *(piece for start in starts for piece in view.pieces[start : start + WINDOW]),
    ]
    least, most = ROOM
    return max(least, min(most, max(sum(2 if letter > WIDE else 1 for letter in label) for label in labels)))


# ---- the output


def output(context: StageContext) -> Matrix:
    t, view, rows = context.t, context.view, context.output
    n, count = len(rows), min(len(rows), ROWS)
    parts = [slice(start, start + count) for start in windows_of_output(context)]
    names = [named(view.tokens, i) for i in range(n)]
    windows = [Window(part.start, names[part], context.fetched[part]) for part in parts]
    blocks, full = whole_output(context.only()).blocks if n > count else None, context.summary.full
    return Matrix(
        id="output",
        planes={str(i): rows[part, shown(context)] for i, part in enumerate(parts)},
        rows=Axis.of_windows("pos", windows, room=room(context), gutter="none", asked=context.compared),
        columns=columns(context),
        whole=None if blocks is None else whole_of(blocks, rows.shape),
        blocks=blocks,
        reach=full,
        tall=min(HIGH * count, TALLEST),
        copied="up",
        also=ALONE,
        words=words(
            context,
            "output_label",
            whole="" if blocks is None else t("whole_output", n=n),
            caption=caption(context, n, full),
        ),
    )


def caption(context: StageContext, n: int, full: float) -> str:
    part, count = shown(context), context.view.d_model
    said = context.t("output_caption" if n > 1 else "output_caption_one", n=n, d_model=count, full=full)
    if part.stop - part.start == count:
        return said
    return context.t("output_caption_part", caption=said, first=part.start, last=part.stop - 1)


def windows_of_output(context: StageContext) -> list[int]:
    """First rows of the windows: all of them where they fit, else the one around the selected token."""
    n, count = len(context.view.ids), min(len(context.view.ids), ROWS)
    if context.view.output.nbytes > STACK:
        return [max(0, min(n - count, context.position - count // 2))]
    return [*range(0, n - count, count), n - count]


@cached.shared
def whole_output(context: StageContext) -> TableSummary:
    """All the rows that were fetched, in small."""
    return TableSummary(averaged(context.output, *BLOCKS), context.summary.full)
