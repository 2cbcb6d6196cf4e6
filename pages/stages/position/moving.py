"""Why moving on is turning: one position, turned into another."""

import streamlit as st

from core.derivation.position import derive_moved
from core.figures.clocks import Turned
from core.figures.controls import Controls
from core.figures.followed import Followed
from core.views import position as views
from core.views.position import Moved
from pages.shared.address.address import Table, whole
from pages.shared.number import follow
from pages.shared.number.follow import headed
from pages.shared.page.parts import paragraphs, write
from pages.shared.page.stage import PageContext, Section, piece
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped, short
from pages.stages.position.context import PositionView, StageContext
from pages.stages.position.parts import begin, clocks, lines, spoken, typed

TURN = 1_000_000_000  # positions to move by
CLOCKS = 12  # that are shown


def parameters(page: PageContext, view: PositionView) -> Table:
    return {"by": whole(-TURN, TURN, 5)}


def draw(context: StageContext) -> None:
    t = context.t
    if context.distances_veiled:  # a turn that depends on the gap alone would answer the question
        return write(f"<p class='soft'>{t.html('far.veiled')}</p>")
    begin(t, "moving")
    inputs = Controls([typed(t, "pos", 0, len(context.waves.rows) - 1), typed(t, "by", -TURN, TURN)])
    components.controls(key="moving_controls", data=inputs.data())
    hands = clocks(t, t("moving.clocks"), Turned("by", CLOCKS))
    components.clocks(key="moved_clocks", data=hands.data())
    piece(context, "moved", moved)


SECTION = Section(draw, parameters, pieces={"moved": ("pos", "by", "dim")})


def followed(context: StageContext) -> Followed:
    t, pos, by, dim = context.t, context.pos, context.values["by"], context.dim
    derivation = derive_moved(pos, by, dim, context.d_model)
    place = t("follow_moved", position=grouped(pos), by=signed(by), dim=dim)
    steps = lines(t, derivation, "check.there", position=pos, there=pos + by)
    return headed(t, f"{pos}/{by}/{dim}", place, derivation, steps, title="turned")


def moved(context: StageContext) -> None:
    left, right = st.columns([1, 1.08], gap="large")
    with left.container(key="moving_matrix", gap=None):
        turned(context)
    with right:
        follow.draw(followed, None, "moved", context)


def turned(context: StageContext) -> None:
    """The rotation of the selected pair, with its numbers; and all pairs at once."""
    pos, by, d = context.pos, context.values["by"], context.d_model
    move = views.moved(pos, by, d)
    st.latex(rotation(move, pos, by, context.dim // 2))
    key = "moved.far" if abs(by) >= 10**6 else "moved.near"
    facts = spoken({"error": move.error, "d_model": d, "by": by, "position": pos, "there": pos + by})
    write(paragraphs([context.t.html(key, **facts)]))


def signed(by: int) -> str:
    return f"+ {grouped(by)}" if by >= 0 else f"− {grouped(-by)}"


def latex(n: int) -> str:
    """A whole number in a formula: its commas separate no list."""
    return f"{n:,}".replace(",", "{,}")


def rotation(move: Moved, pos: int, by: int, pair: int) -> str:
    """R_k of one pair, with its numbers."""
    (a, b), (c, d) = [[short(float(x)) for x in row] for row in move.turn[pair]]
    sine, cosine = (short(float(x)) for x in move.start[2 * pair : 2 * pair + 2])
    to_sine, to_cosine = (short(float(x)) for x in move.turned[2 * pair : 2 * pair + 2])
    general = (
        r"\begin{pmatrix}\cos k\omega & \sin k\omega\\ -\sin k\omega & \cos k\omega\end{pmatrix}"
        r"\begin{pmatrix}\sin p\omega\\ \cos p\omega\end{pmatrix}"
        r"= \begin{pmatrix}\sin (p+k)\omega\\ \cos (p+k)\omega\end{pmatrix}"
    )
    numbers = (
        rf"\begin{{pmatrix}}{a} & {b}\\ {c} & {d}\end{{pmatrix}}"
        rf"\begin{{pmatrix}}{sine}\\ {cosine}\end{{pmatrix}}"
        rf"= \begin{{pmatrix}}{to_sine}\\ {to_cosine}\end{{pmatrix}}"
    )
    which = rf"p = {latex(pos)},\ k = {latex(by)},\ i = {pair},\ \omega = 10000^{{-{2 * pair}/{len(move.start)}}}"
    return rf"\begin{{gathered}} {general} \\[4pt] {numbers} \\[2pt] {which} \end{{gathered}}"
