"""Dropout: what leaves the sum on its way into the first layer while the model is trained, and what stays as it was."""

import math
from dataclasses import fields, replace

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.controls import Control
from core.figures.dropped import Dropped, DroppedWords
from core.figures.matrix import Matrix
from core.views.input import dropped
from pages.shared.address.address import choice, real, whole
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import dimensions, matrix_words
from pages.shared.words.numbers import short
from pages.stages.input.context import StageContext
from pages.stages.input.sides import beside, cosine_matrix, pairs_said, windowed
from pages.stages.input.words import cosine_of, given_of, mean_length, position_share

DIMS = 14  # that stand as bars
DRAWS = 1000  # seeds that dropout is averaged over
NEAR = 0.1  # of the number: as far as its mean may be off
PUBLISHED_RATE = 0.1  # Vaswani et al. 2017, 5.4, and MiniLM's own config
MODES = ("training", "evaluation")
LAST_SEED = 2**32 - 1


def parameters(page, view):
    return {
        "mode": choice(*MODES, default="training"),
        "rate": real(0, 1, PUBLISHED_RATE),
        "seed": whole(0, LAST_SEED, 0),
    }


def draw(context: StageContext) -> None:
    t, drop = context.t, context.drop
    write(heading(t, "dropout"), paragraph(t, "dropout_said", published=str(PUBLISHED_RATE)))
    controls(
        "dropout",
        Control("mode", t("mode"), [(id, t(f"modes.{id}")) for id in MODES]),
        typed(t, "rate", t("rate"), 0, 1, step=0.1),
        typed(t, "seed", t("seed"), 0, LAST_SEED),
    )
    after = context.after_dropout(*drop) if drop else context.before_dropout()
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        if context.selected not in context.asked.rows:
            components.dropped(key="dropped", data=difference(context, after[0]).data())
        components.matrix(key="dropout", data=picture(context, after[0]).pack())
    with right:
        numbers(context, after)
    if drop and drop[0] == 1:
        return
    write(paragraph(t, "dropout_cosines"), *pairs_said(context, "dropout_pairs", "before", "after"))
    ids = {f"cosines_{side}": side for side in ("before", "after")}
    beside(context, cosine_matrix, {id: (id, side, "section") for id, side in ids.items()})


def difference(context: StageContext, after: np.ndarray) -> Dropped:
    """Of the selected token, some dimensions around the selected one: what became 0 there, and how the others grew."""
    t, token = context.t, context.selected
    before, after = context.before_dropout()[0, token], after[token]
    first = telling_part(after, context.values["dim"])
    rate = context.drop[0] if context.drop else 0.0
    return Dropped(
        token=token,
        first=first,
        before=before[first : first + DIMS].tolist(),
        after=after[first : first + DIMS].tolist(),
        factor=short(1 / (1 - rate)) if rate < 1 else "0",
        words=DroppedWords(*(t(f"dropped_bars.{field.name}") for field in fields(DroppedWords))),
    )


def telling_part(after: np.ndarray, dim: int) -> int:
    """Where some dimensions begin, this one among them: as near to its middle as any of them is dropped."""
    last = max(0, len(after) - DIMS)
    starts = {min(max(0, dim - i), last) for i in range(DIMS)}
    near = sorted(starts, key=lambda start: abs(start + DIMS // 2 - dim))
    return next((start for start in near if (after[start : start + DIMS] == 0).any()), near[0])


def picture(context: StageContext, after: np.ndarray) -> Matrix:
    window = context.window()
    rows, (plane,) = windowed(context, window, [""])
    return Matrix(
        id="dropout",
        fragment="section",
        planes={plane: context.seen(after, 0)[window]},
        rows=rows,
        columns=dimensions(context.t, context.view.own.d_model),
        reach=context.reach("output"),
        tall=16 * rows.count,
        also={"k": None, "look": None},
        words=matrix_words(context.t, "dropout_label", caption=context.t("dropout_caption")),
    )


def numbers(context: StageContext, after: np.ndarray) -> None:
    t, name, now, token, (a, b) = context.t, context.page.name, context.view.now, context.opening, context.pair
    stages = now.output, after[0]
    views = now, replace(now, parts=after[1:], taps={} if context.drop else now.taps)
    alike = [
        cosine_of(context, view, "output", a, b, cosine(x[a], x[b])) for view, x in zip(views, stages, strict=True)
    ]
    own = cosine_of(context, now, "output", token, token, cosine(now.output[token], now.output[token]))
    lengths = (float(np.linalg.norm(x, axis=-1).mean()) for x in stages)
    rows = [
        [t("dropped.zeros"), *(float((x == 0).mean()) for x in stages)],
        [
            t("dropped.norm"),
            *(mean_length(context, view, "output", x) for view, x in zip(views, lengths, strict=True)),
        ],
        [t("dropped.share"), *(position_share(context, view, view.share()) for view in views)],
        [t("dropped.pair", a=name(a), b=name(b)), *map(context.unless_asked, alike)],
        [t("dropped.self", token=name(token)), own, cosine(now.output[token], after[0][token])],
    ]
    write(table(rows, ["", t("dropped.before"), t("dropped.after")], kind="sums"), average(context))


def average(context: StageContext) -> str:
    """What stays as it was: the mean of one number over many draws."""
    drop, cell = context.drop, float(context.view.now.output[context.opening, 0])
    if drop is None:
        return paragraph(context.t, "dropout_off")
    if drop[0] == 1:
        return paragraph(context.t, "dropout_all")
    own = number(
        context, cell, Cell(context.view.now.taps["output"], (context.opening, 0)), given=given_of(context.view.now)
    )
    drawn = draws(cell, drop[0])
    mean = float(drawn.mean())
    near = abs(mean - cell) <= NEAR * abs(cell)
    facts = {"token": context.page.name(context.opening), "mean": mean, "cell": own, "kept": int((drawn != 0).sum())}
    return paragraph(context.t, "dropout_mean" if near else "dropout_mean_off", draws=f"{DRAWS:,}", **facts)


def draws(cell: float, rate: float) -> np.ndarray:
    """One number, dropped or grown so many times: the mean is expected to stay where it was."""
    return dropped(np.full(DRAWS, cell, np.float64), rate, 1)


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else math.nan
