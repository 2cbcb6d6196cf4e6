"""The whole matrix of waves for any `max_len`, what that changes, and the wavelengths."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.position import derive_cell
from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Level, Mark, Series, Upwards
from core.figures.followed import Followed
from core.figures.matrix import Axis, Follows, Matrix, Window, whole_of
from core.text.token import named
from core.views import position as views
from core.views.embedding import averaged
from core.views.input import multiplies
from core.views.position import Built
from pages.shared.address.address import Table, whole
from pages.shared.number.follow import follow, headed
from pages.shared.page import parts
from pages.shared.page.stage import PageContext, Section, piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import STACK, dimensions, matrix_words
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.stages.position.context import PositionView, StageContext
from pages.stages.position.parts import begin, lines, nothing, sines_first, typed

FAR = 100  # a position well behind the first
ROWS = 32  # positions of the whole matrix that are shown at once
LENGTHS = 256, 512, 5000  # rows: tensor2tensor's longest sentence in training, BERT's, and tutorials' usual buffer
LONGEST = 10_000  # rows of a table to build
MATRIX, ROW, SAID = "whole_matrix", "row", "lengths"  # pieces


def parameters(page: PageContext, view: PositionView) -> Table:
    return {"max_len": whole(1, LONGEST, len(view.waves.rows)), "row": whole(0, LONGEST - 1, None)}


def draw(context: StageContext) -> None:
    t = context.t
    begin(t, "whole", d_model=context.d_model)
    components.controls(key="length_controls", data=controls(context).data())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        piece(context, MATRIX, draw_matrix)
        piece(context, SAID, draw_lengths)
    with right:
        follow(context, row, key=ROW)
        parts.write(f"<p class='soft'>{t.html('wavelength.title')}</p>")
        components.curves(key="wavelengths", data=wavelengths(context).pack())
    made, name = built(context.values["max_len"], context.d_model), context.page.address.model
    apart = max(difference(n, name) for n in shown(context))
    facts = {"rows": len(context.waves.rows), "saved": made.saved, "trained": made.trained, "apart": apart}
    parts.write(parts.paragraph(t, "built.said", **facts), parts.paragraph(t, "built.whence"), *counter(context))


def counter(context: StageContext) -> list[str]:
    """What would be added if each position added its number, beside the token it is added to."""
    t, d, tokens = context.t, context.d_model, context.page.tokens
    at = min(context.pos, len(tokens) - 1)
    facts = {"far": FAR, "d": d, "long": FAR * float(np.sqrt(d)), "token": named(tokens, at)}
    said = t.html("counter.said", own=float(np.linalg.norm(read(*context.key)[at])), **facts)
    waves = t.html("counter.waves")
    return [f"<h3>{t.html('counter.title')}</h3><p>{t.together((said, waves))}</p>"]


@cached.shared
def read(name: str, text: str) -> np.ndarray:
    """[token, d_model]: what the positions are added to."""
    tap = "embedding.scaled" if multiplies(cached.model(name)) else "embedding.token"
    return cached.capture(name, text, only=(tap,))[tap]


SECTION = Section(
    draw, parameters, pieces={MATRIX: ("max_len",), SAID: ("max_len",), ROW: ("max_len", "row", "pos", "dim")}
)


def controls(context: StageContext) -> Controls:
    lengths = sorted({*LENGTHS, len(context.waves.rows)})
    presets = Control("max_len", "max_len", [(n, grouped(n)) for n in lengths], also={"row": None})
    return Controls([presets, typed(context.t, "max_len", 1, LONGEST, row=None)])


@cached.shared
def built(max_len: int, d_model: int) -> Built:
    return views.built(max_len, d_model)


@cached.shared
def in_blocks(max_len: int, d_model: int) -> np.ndarray:
    return averaged(built(max_len, d_model).table.rows[:, sines_first(d_model)], 56, 128)


# ---- the matrix


def draw_matrix(context: StageContext) -> None:
    components.matrix(key=MATRIX, data=matrix(context).pack())


def matrix(context: StageContext) -> Matrix:
    t, max_len, d = context.t, context.values["max_len"], context.d_model
    table = built(max_len, d).table
    n, count = len(table.rows), min(ROWS, len(table.rows))
    starts = starts_of(context, n, count, everything=table.nbytes <= STACK)
    windows = [Window(s, [str(i) for i in range(s, s + count)]) for s in starts]
    blocks, order = in_blocks(max_len, d), sines_first(d)
    # The row of each position, until one is chosen by hand.
    rows = Follows("pos", [i if i < n else None for i in range(len(context.waves.rows))])
    return Matrix(
        id=MATRIX,
        fragment=MATRIX,
        name=("max_len",),
        planes={f"{max_len}/{i}": table.rows[s : s + count, order] for i, s in enumerate(starts)},
        rows=Axis.of_windows("row", windows, follows=rows, ticks=False, word=t("position"), room=4),
        columns=dimensions(t, d, order=order),
        whole=whole_of(blocks, table.rows.shape, 1.0),
        blocks=blocks,
        reach=1,
        tall=8 * ROWS,
        words=matrix_words(t, "whole.label", caption=t("whole.caption"), whole=t("whole.whole", n=grouped(n))),
    )


def starts_of(context: StageContext, n: int, count: int, everything: bool) -> list[int]:
    """Where windows of `count` rows begin: all there are, or the one around what is looked at."""
    if everything:
        return [*range(0, n - count, count), n - count]
    return [max(0, min(n - count, chosen(context) - count // 2))]


def chosen(context: StageContext) -> int:
    """The row that is followed: the one chosen by hand, else the selected position's."""
    return context.pos if context.values["row"] is None else context.values["row"]


# ---- a number of it


def row(context: StageContext) -> Followed:
    """A number of the table with this `max_len`, held against the same row of the others."""
    t, length, dim, at = context.t, context.values["max_len"], context.dim, chosen(context)
    id, where = f"{length}/{at}/{dim}", t("follow_cell", position=grouped(at), dim=dim)
    if at >= length:
        facts = {"length": grouped(length), "row": grouped(at), "last": grouped(length - 1)}
        return nothing(t, id, "built.follow", where, t("built.no_row", **facts))
    derivation = derive_cell(built(length, context.d_model).table, at, dim)
    steps = lines(t, derivation, "check.table", pos=at)
    steps[-1] = replace(steps[-1], check=steps[-1].check + same(context, length, at, derivation.captured))
    return headed(t, id, where, derivation, steps, title="built.follow")


def same(context: StageContext, length: int, at: int, cell: float) -> str:
    """How far the other tables' numbers at the same place are from this one."""
    t, others = context.t, [n for n in LENGTHS if at < n != length]
    if not others:
        return ""
    apart = max(abs(float(built(n, context.d_model).table.rows[at, context.dim]) - cell) for n in others)
    return t("built.same", lengths=t("built.and").join(map(grouped, others)), difference=short(apart))


# ---- what `max_len` changes, and what it does not


def draw_lengths(context: StageContext) -> None:
    t = context.t
    parts.write(f"<p class='soft'>{t.html('built.title')}</p>", lengths(context))


def lengths(context: StageContext) -> str:
    """The usual lengths, this model's and the chosen one, a row each."""
    t, max_len = context.t, context.values["max_len"]
    head = [t(f"built.{name}") for name in ("shape", "numbers", "bytes")]
    every = shown(context)
    return parts.table([of_length(context, n) for n in every], head, "sums", marked=(every.index(max_len),))


def shown(context: StageContext) -> list[int]:
    """The lengths that are compared."""
    return sorted({*LENGTHS, len(context.waves.rows), context.values["max_len"]})


@cached.shared
def difference(n: int, name: str) -> float:
    """Between the rows that are made here and those of a model."""
    waves = views.tables(cached.model(name))["sinusoidal"]
    return built(n, waves.d_model).difference(waves)


def of_length(context: StageContext, n: int) -> list[str]:
    made = built(n, context.d_model)
    numbers = map(grouped, (made.table.rows.size, made.nbytes))
    return [parts.Html(f"{grouped(n)}&nbsp;×&nbsp;{context.d_model}"), *numbers]


# ---- the wavelengths


def wavelengths(context: StageContext) -> Curves:
    t, dim, lengths = context.t, context.d_model - 2, views.wavelengths(context.d_model)
    first, last, limit = float(lengths[0]), float(lengths[-1]), 2 * np.pi * views.BASE
    return Curves(
        x=Along(len(lengths), t("dimension"), step=2, param="dim"),
        y=Upwards(1.0, 1e5, log=True),
        series=[Series(points=True)],
        values=[lengths],
        marks=[Mark(0, first, f"{first:.2f}", below=True), Mark(dim, last, f"{last:,.0f}", "end")],
        levels=[Level(limit, t("wavelength.limit", limit=f"{limit:,.0f}"))],
        height=200,
        words=CurvesWords(t("wavelength.label"), t.html("wavelength.caption", last=f"{last:,.0f}", dim=dim)),
    )
