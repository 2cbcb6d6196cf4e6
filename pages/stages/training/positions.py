"""A learned table of positions on its way from random numbers: how alike its rows are."""

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.matrix import Axis, Matrix
from core.training.recorded import TABLE_EVERY
from pages.shared.address.address import Table, choice
from pages.shared.page.parts import door, heading, paragraph, write
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.stages.training.context import Descents, StageContext, family
from pages.stages.training.words import near


def tables() -> np.ndarray:
    """[copy, position, d_model], every TABLE_EVERY steps."""
    return family("position").runs["learned"].positions.astype(np.float64)


def steps() -> list[str]:
    return [str(TABLE_EVERY * i) for i in range(len(tables()))]


def parameters(page: PageContext, view: Descents) -> Table:
    return {"copied": choice(*steps(), default=steps()[-1])}


def cosines(rows: np.ndarray) -> np.ndarray:
    """[position, position]"""
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


def draw(context: StageContext) -> None:
    t, found = context.t, tables()
    write(heading(t, "positions"), paragraph(t, "positions.said", positions=found.shape[1], d=found.shape[2]))
    copies = Control(
        "copied", t("positions.copied"), [(step, step) for step in steps()], first=steps()[-1], stepper="never"
    )
    components.controls(key="positions_controls", data=Controls([copies]).data())
    left, right = st.columns([1, 1.2], gap="large")
    with left:
        components.matrix(key="positions", data=matrix(context, found).pack())
    with right:
        write(paragraph(t, "positions.seen", **facts(found)), paragraph(t, "positions.told"))
        door(context.page, "position", t("positions.door", stage=t.stage("position")))


def facts(found: np.ndarray) -> dict[str, str]:
    """The mean size of the cosine of two different rows, at first and at last; the rows' mean length."""
    apart = ~np.eye(found.shape[1], dtype=bool)
    first, last = (np.abs(cosines(rows)[apart]).mean() for rows in (found[0], found[-1]))
    longer = [np.linalg.norm(rows, axis=1).mean() for rows in (found[0], found[-1])]
    return {
        "first": near(first),
        "last": near(last),
        "short": near(longer[0]),
        "long": near(longer[1]),
        "steps": steps()[-1],
    }


def matrix(context: StageContext, found: np.ndarray) -> Matrix:
    t, count = context.t, found.shape[1]
    planes = {step: cosines(rows).astype(np.float32) for step, rows in zip(steps(), found, strict=True)}
    axes = [Axis(name, count, word=t("positions.axis")) for name in ("row", "column")]
    return Matrix(
        id="positions",
        planes=planes,
        rows=axes[0],
        columns=axes[1],
        name=("copied",),
        reach=1.0,
        fragment="section",
        side=420,
        still=True,
        words=matrix_words(t, "positions.label", caption=t("positions.caption")),
    )
