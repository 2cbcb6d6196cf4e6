"""Calculating with the waves: any position, width and base beside the code."""

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.position import derive_wave
from core.figures.controls import Controls
from core.figures.followed import Followed
from core.lessons.position import waves_by_logarithm
from core.model.position import per_radian, waves
from core.views import position as views
from pages.shared.address.address import Table, whole
from pages.shared.number import follow
from pages.shared.number.follow import headed
from pages.shared.page.parts import code, paragraphs, write
from pages.shared.page.stage import PageContext, Section, piece
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped, short
from pages.stages.position.context import FARTHEST, PositionView, StageContext
from pages.stages.position.parts import begin, lines, spoken, typed

WIDEST = 4096  # dimensions to calculate with
DIALS = 6  # clocks that are shown
LIMITS = {"at": (0, FARTHEST), "i": (0, WIDEST - 1), "d": (1, WIDEST), "base": (1, 1_000_000_000)}
OPENING = {"at": 40, "i": 2, "d": 4, "base": views.BASE}


def parameters(page: PageContext, view: PositionView) -> Table:
    return {name: whole(*LIMITS[name], OPENING[name]) for name in LIMITS}


def draw(context: StageContext) -> None:
    t = context.t
    begin(t, "calculator")
    inputs = [typed(t, name, *ends) for name, ends in LIMITS.items()]
    components.controls(key="calculator_controls", data=Controls(inputs).data())
    piece(context, "calculated", calculated)
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
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        follow.draw(followed, None, "calculated", context)
    with right.container(key="calculator_row", gap=None):
        write(dials(context), paragraphs(said_of(context)))


def dials(context: StageContext) -> str:
    """The first clocks of this width, and the followed one: of its hand, the part that is followed."""
    t, (at, i, d, base) = context.t, asked(context)
    followed, row = min(i, d - 1), views.encoded(at, d, base)
    pairs = sorted({*range(min(DIALS, (d + 1) // 2)), followed // 2})
    if len(pairs) > DIALS:
        pairs.pop(-2)
    turned = [float(at / per_radian(d, base)[pair]) for pair in pairs]
    drawn = (
        dial(t("clock"), pair, angle, row[2 * pair : 2 * pair + 2], followed - 2 * pair)
        for pair, angle in zip(pairs, turned, strict=True)
    )
    return f"<div class='dials{' few' if len(pairs) < 3 else ''}'>{''.join(drawn)}</div>"


def dial(clock: str, pair: int, angle: float, numbers: np.ndarray, which: int) -> str:
    """One clock: its hand, and the sine or cosine that is followed, from the tip to the axis or along it."""
    sine, cosine = math.sin(angle), math.cos(angle)
    said = [f"{name} {short(float(x))}" for name, x in zip(("sin", "cos"), numbers, strict=False)]
    marked = [f"<b>{one}</b>" if k == which else one for k, one in enumerate(said)]
    parts = (
        f"left:calc({50 + 50 * cosine:.2f}% - 2px);{'bottom' if sine > 0 else 'top'}:50%;height:{50 * abs(sine):.2f}%",
        f"top:calc(50% - 2px);{'left' if cosine > 0 else 'right'}:50%;width:{50 * abs(cosine):.2f}%",
    )
    part = f"<u style='{parts[which]}'></u>" if which in (0, 1) else ""
    hand = f"<i style='rotate:{-math.atan2(sine, cosine):.4f}rad'></i>"
    return (
        f"<figure><div class='{'on' if part else ''}'>{part}{hand}</div>"
        f"<figcaption>{clock} {pair}<br>{'<br>'.join(marked)}</figcaption></figure>"
    )


def said_of(context: StageContext) -> list[str]:
    """The vector of the position, its first numbers at least, and what is special about this width and base."""
    t, (at, _, d, base) = context.t, asked(context)
    row = views.encoded(at, d, base)
    first = ", ".join(f"{x:.5f}".replace("-", "−") for x in row[:8]) + (", …" if d > 8 else "")
    said = [t.html("calculator.row", position=grouped(at), row=first)]
    if d % 2:
        said.append(t.html("odd.one" if d == 1 else "odd.width", **spoken({"d": d, "last": d - 1})))
    last = float(views.wavelengths(d, base)[-1])
    if d <= 2:
        said.append(t.html("calculator.only", last=last))
    elif base == 1:
        said.append(t.html("odd.base_one"))
    else:
        said.append(t.html("calculator.last", last=last, dim=grouped((d - 1) // 2 * 2)))
    return said


def usual_code(context: StageContext) -> list[str]:
    """How the formula is mostly written, run at this model's width."""
    t, d = context.t, context.d_model
    written = views.by_logarithm(512, d)
    facts = {"difference": written.difference, "at": written.at, "odd": d - 1, "refused": written.refused, "d_model": d}
    return [t.html("usual.code", **facts), t.html("usual.odd", **facts)]
