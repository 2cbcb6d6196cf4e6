"""Dropout: what leaves the sum on its way into the first layer while the model is trained, and what stays as it was."""

import math
from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.matrix import Matrix
from core.views.input import dropped
from pages.shared.address.address import choice, real, whole
from pages.shared.address.visit import bind
from pages.shared.number.number_links import number
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import dimensions, matrix_words
from pages.stages.input.look import Look
from pages.stages.input.sides import beside, cosine_matrix, pairs_said, windowed
from pages.stages.input.words import cosine_of, given_of, mean_length, position_share

DRAWS = 1000  # seeds that dropout is averaged over
PUBLISHED_RATE = 0.1  # Vaswani et al. 2017, 5.4, and MiniLM's own config
MODES = ("training", "evaluation")
LAST_SEED = 2**32 - 1


def parameters(page, view):
    return {
        "mode": choice(*MODES, default="training"),
        "rate": real(0, 1, PUBLISHED_RATE),
        "seed": whole(0, LAST_SEED, 0),
    }


def draw(look: Look) -> None:
    t, drop = look.t, look.drop
    write(heading(t, "dropout"), paragraph(t, "dropout_said", published=str(PUBLISHED_RATE)))
    controls(look)
    after = look.after_dropout(*drop) if drop else look.before_dropout()
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        components.matrix(key="dropout", data=picture(look, after[0]).pack())
    with right:
        numbers(look, after)
    if drop and drop[0] == 1:
        return
    write(paragraph(t, "dropout_cosines"), *pairs_said(look, "dropout_pairs", "before", "after"))
    ids = {f"cosines_{side}": side for side in ("before", "after")}
    beside(look, cosine_matrix, {id: (id, side, "section") for id, side in ids.items()})


def controls(look: Look) -> None:
    t = look.t
    with st.container(key="dropout_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        modes = bind(look, "mode")
        st.segmented_control(t("mode"), MODES, format_func=lambda id: t(f"modes.{id}"), required=True, **modes)
        st.number_input(t("rate"), 0.0, 1.0, step=0.1, width=130, **bind(look, "rate"))
        st.number_input(t("seed"), 0, LAST_SEED, step=1, width=150, **bind(look, "seed"))


def picture(look: Look, after: np.ndarray) -> Matrix:
    window = look.window()
    rows, (plane,) = windowed(look, window, [""])
    return Matrix(
        id="dropout",
        fragment="section",
        planes={plane: look.seen(after, 0)[window]},
        rows=rows,
        columns=dimensions(look.t, look.view.own.d_model),
        reach=look.reach("output"),
        tall=16 * rows.count,
        also={"k": None, "look": None},
        words=matrix_words(look.t, "dropout_label", caption=look.t("dropout_caption")),
    )


def numbers(look: Look, after: np.ndarray) -> None:
    t, name, now, token, (a, b) = look.t, look.page.name, look.view.now, look.opening, look.pair
    stages = now.output, after[0]
    views = now, replace(now, parts=after[1:], taps={} if look.drop else now.taps)
    alike = [cosine_of(look, view, "output", a, b, cosine(x[a], x[b])) for view, x in zip(views, stages, strict=True)]
    own = cosine_of(look, now, "output", token, token, cosine(now.output[token], now.output[token]))
    lengths = (float(np.linalg.norm(x, axis=-1).mean()) for x in stages)
    rows = [
        [t("dropped.zeros"), *(float((x == 0).mean()) for x in stages)],
        [
            t("dropped.norm"),
            *(mean_length(look, view, "output", x) for view, x in zip(views, lengths, strict=True)),
        ],
        [t("dropped.share"), *(position_share(look, view, view.share()) for view in views)],
        [t("dropped.pair", a=name(a), b=name(b)), *map(look.unless_asked, alike)],
        [t("dropped.self", token=name(token)), own, cosine(now.output[token], after[0][token])],
    ]
    write(table(rows, ["", t("dropped.before"), t("dropped.after")], kind="sums"), average(look))


def average(look: Look) -> str:
    """What stays as it was: the mean of one number over many draws."""
    drop, cell = look.drop, float(look.view.now.output[look.opening, 0])
    if drop is None:
        return paragraph(look.t, "dropout_off")
    if drop[0] == 1:
        return paragraph(look.t, "dropout_all")
    own = number(look, cell, Cell(look.view.now.taps["output"], (look.opening, 0)), given=given_of(look.view.now))
    facts = {"token": look.page.name(look.opening), "mean": mean_of_draws(cell, drop[0]), "cell": own}
    return paragraph(look.t, "dropout_mean", draws=f"{DRAWS:,}", **facts)


def mean_of_draws(cell: float, rate: float) -> float:
    """The mean of one number over as many draws: dropping and growing leave it where it was, on average."""
    return float(dropped(np.full(DRAWS, cell, np.float64), rate, 1).mean())


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else math.nan
