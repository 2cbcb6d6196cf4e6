"""Calculating with the waves: any position, width and base beside the code; and why moving on is turning."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from core.derivation.position import derive_moved, derive_wave
from core.lessons.position import waves_by_logarithm
from core.model.position import per_radian, waves
from core.views import position as views
from core.views.position import PositionTable
from pages.shared import components, follow
from pages.shared.numbers import grouped, short
from pages.shared.open_it import source, where
from pages.shared.page import Page, paragraphs
from pages.shared.state import whole
from pages.stages.position_parts import FARTHEST, Parameters, clock_words, headline, lines, part, spoken, typed

TURN = 1_000_000_000  # positions to move by
WIDEST = 4096  # dimensions to calculate with
LIMITS = {"at": (0, FARTHEST), "i": (0, WIDEST - 1), "d": (1, WIDEST), "base": (1, TURN)}
PARAMETERS = {
    "at": whole(*LIMITS["at"], 1),
    "i": whole(*LIMITS["i"], 2),
    "d": whole(*LIMITS["d"], 4),
    "base": whole(*LIMITS["base"], views.BASE),
    "by": whole(-TURN, TURN, 5),
}


# ---- the calculator


def calculator(page: Page, parameters: Parameters, d_model: int) -> None:
    """Any position, dimension, width and base, beside the code; the usual code is compared at width `d_model`."""
    part(page, "calculator")
    left, right = st.columns([1, 1.35], gap="large")
    with left:
        inputs = [typed(page, name, *ends) for name, ends in LIMITS.items()]
        components.controls(key="calculator_controls", data={"controls": inputs})
        row_place = st.container(key="calculator_row", gap=None)

        def row(now: dict) -> None:
            with row_place:
                paragraphs(calculated(page, *(int(now[name]) for name in ("at", "d", "base"))))

        follow.follow(page, parameters, partial(wave_data, page), key="calculated", also=row)
    with right:
        code(waves, per_radian)
    left, right = st.columns([1, 1.35], gap="large")
    with left:
        paragraphs(usual_code(page, d_model))
    with right:
        code(waves_by_logarithm)


def wave_data(page: Page, now: dict) -> dict:
    at, i, d, base = (int(now[name]) for name in LIMITS)
    dim = min(i, d - 1)
    derivation = derive_wave(at, dim, d, base)
    return {
        **headline(page, derivation, "calculated"),
        "id": f"{at}/{dim}/{d}/{base}",
        "where": page.t("follow_cell", **spoken({"position": at, "dim": dim})),
        "steps": lines(page, derivation, "check.code"),
        "note": "" if i < d else page.t("calculator.too_high", **spoken({"i": i, "d": d, "last": d - 1})),
        "params": list(LIMITS),
    }


def calculated(page: Page, at: int, d: int, base: int) -> list[str]:
    """The vector of the position, its first numbers at least, and what is special about this width and base."""
    t, row = page.t, views.encoded(at, d, base)
    first = ", ".join(f"{x:.5f}".replace("-", "−") for x in row[:8]) + (", …" if d > 8 else "")
    said = [t.html("calculator.row", position=grouped(at), row=first)]
    if d % 2:
        said.append(t.html("odd.one" if d == 1 else "odd.width", **spoken({"d": d, "last": d - 1})))
    if base == 1:
        said.append(t.html("odd.base_one"))
    elif d > 1:
        said.append(
            t.html("calculator.last", last=float(views.wavelengths(d, base)[-1]), dim=grouped((d - 1) // 2 * 2))
        )
    return said


def usual_code(page: Page, d: int) -> list[str]:
    written = views.by_logarithm(512, d)
    facts = {"difference": written.difference, "at": written.at, "odd": d - 1, "refused": written.refused, "d_model": d}
    return [page.t.html("usual.code", **facts), page.t.html("usual.odd", **facts)]


def code(*functions) -> None:
    for function in functions:
        st.html(f"<p class='soft'>{where(function)}</p>")
        st.code(source(function), language="python", wrap_lines=True)


# ---- moving is turning


def moving(page: Page, parameters: Parameters, tables: Mapping[str, PositionTable], veiled: bool) -> None:
    """Moving by a number of positions is turning every clock: of the waves, which are among the page's `tables`."""
    if veiled:  # a turn that depends on the gap alone would answer the question
        st.html(f"<p class='soft'>{page.t.html('far.veiled')}</p>")
        return
    part(page, "moving")
    positions, d = tables["sinusoidal"].rows.shape
    inputs = [typed(page, "pos", 0, positions - 1), typed(page, "by", -TURN, TURN)]
    components.controls(key="moving_controls", data={"controls": inputs})
    clocks = {
        "words": {"title": {kind: page.t("moving.clocks") for kind in tables}, **clock_words(page)},
        "moved": {"param": "by", "count": 12},
    }
    components.clocks(key="moved_clocks", data=clocks)
    left, right = st.columns([1, 1.08], gap="large")
    matrix_place = left.container(key="moving_matrix", gap=None)

    def matrix(now: dict) -> None:
        pos, by, pair = int(now["pos"]), int(now["by"]), int(now["dim"]) // 2
        with matrix_place:
            move = views.moved(pos, by, d)
            st.latex(rotation_formula(move, pos, by, pair))
            key = "moved.far" if abs(by) >= 10**6 else "moved.near"
            facts = spoken({"error": move.error, "d_model": d, "by": by, "position": pos, "there": pos + by})
            paragraphs([page.t.html(key, **facts)])

    with right:
        follow.follow(page, parameters, partial(moved_data, page, d), key="moved", also=matrix)


def moved_data(page: Page, d: int, now: dict) -> dict:
    pos, by, dim = int(now["pos"]), int(now["by"]), int(now["dim"])
    derivation = derive_moved(pos, by, dim, d)
    return {
        **headline(page, derivation, "turned"),
        "id": f"{pos}/{by}/{dim}",
        "where": page.t("follow_moved", position=grouped(pos), by=signed(by), dim=dim),
        "steps": lines(page, derivation, "check.there", position=pos, there=pos + by),
        "params": ["pos", "by", "dim"],
    }


def signed(by: int) -> str:
    return f"+ {grouped(by)}" if by >= 0 else f"− {grouped(-by)}"


def latex(n: int) -> str:
    """A whole number in a formula: its commas separate no list."""
    return f"{n:,}".replace(",", "{,}")


def rotation_formula(move: views.Moved, pos: int, by: int, pair: int) -> str:
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
