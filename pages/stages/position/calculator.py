"""Calculating with the waves: any position, width and base beside the code."""

from dataclasses import replace

import streamlit as st

from core.derivation.position import derive_wave
from core.figures.controls import Controls
from core.figures.followed import Followed
from core.lessons.position import waves_by_logarithm
from core.model.position import per_radian, waves
from core.views import position as views
from pages.shared.address.address import Table, whole
from pages.shared.number.follow import follow, headed
from pages.shared.page.parts import paragraphs, write
from pages.shared.page.sources import source, where
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped
from pages.stages.position.context import FARTHEST, PositionView, StageContext
from pages.stages.position.parts import begin, lines, spoken, typed

WIDEST = 4096  # dimensions to calculate with
LIMITS = {"at": (0, FARTHEST), "i": (0, WIDEST - 1), "d": (1, WIDEST), "base": (1, 1_000_000_000)}
OPENING = {"at": 1, "i": 2, "d": 4, "base": views.BASE}


def parameters(page: PageContext, view: PositionView) -> Table:
    return {name: whole(*LIMITS[name], OPENING[name]) for name in LIMITS}


def draw(context: StageContext) -> None:
    t = context.t
    begin(t, "calculator")
    inputs = [typed(t, name, *ends) for name, ends in LIMITS.items()]
    components.controls(key="calculator_controls", data=Controls(inputs).data())
    left, right = st.columns(2, gap="large")
    with left:
        follow(context, followed, key="calculated", also=calculated)
    with right:
        write(paragraphs(usual_code(context)))
    code(waves, per_radian, waves_by_logarithm)


SECTION = Section(draw, parameters, pieces={"calculated": tuple(LIMITS)})


def asked(context: StageContext) -> tuple[int, ...]:
    """Position, dimension, width, base."""
    return tuple(context.values[name] for name in LIMITS)


def followed(context: StageContext) -> Followed:
    t, (at, i, d, base) = context.t, asked(context)
    dim = min(i, d - 1)
    derivation = derive_wave(at, dim, d, base)
    place = t("follow_cell", **spoken({"position": at, "dim": dim}))
    steps = lines(t, derivation, "check.code")
    told = headed(t, f"{at}/{dim}/{d}/{base}", place, derivation, steps, title="calculated")
    return told if i < d else replace(told, note=t("calculator.too_high", **spoken({"i": i, "d": d, "last": d - 1})))


def calculated(context: StageContext) -> None:
    """The vector of the position, its first numbers at least, and what is special about this width and base."""
    t, (at, _, d, base) = context.t, asked(context)
    row = views.encoded(at, d, base)
    first = ", ".join(f"{x:.5f}".replace("-", "−") for x in row[:8]) + (", …" if d > 8 else "")
    said = [t.html("calculator.row", position=grouped(at), row=first)]
    if d % 2:
        said.append(t.html("odd.one" if d == 1 else "odd.width", **spoken({"d": d, "last": d - 1})))
    if base == 1:
        said.append(t.html("odd.base_one"))
    elif d > 1:
        last = float(views.wavelengths(d, base)[-1])
        said.append(t.html("calculator.last", last=last, dim=grouped((d - 1) // 2 * 2)))
    with st.container(key="calculator_row", gap=None):
        write(paragraphs(said))


def usual_code(context: StageContext) -> list[str]:
    """How the formula is mostly written, run at this model's width."""
    t, d = context.t, context.d_model
    written = views.by_logarithm(512, d)
    facts = {"difference": written.difference, "at": written.at, "odd": d - 1, "refused": written.refused, "d_model": d}
    return [t.html("usual.code", **facts), t.html("usual.odd", **facts)]


def code(*functions) -> None:
    for function in functions:
        write(f"<p class='soft'>{where(function)}</p>")
        st.code(source(function), language="python", wrap_lines=True)
