"""Dropout: what leaves the sum on its way into the first layer while the model is trained, and what stays as it was."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from core.views.input import dropped
from pages.shared import components, state
from pages.shared.state import Parameter, choice, whole
from pages.stages.input_pieces import paragraph, part, table, write
from pages.stages.input_sides import Drop, Sums, beside, cosine_matrix, matrix_words, pairs_said

DRAWS = 1000  # seeds that dropout is averaged over
PUBLISHED_RATE = 0.1  # Vaswani et al. 2017, 5.4, and MiniLM's own config
MODES = ("training", "evaluation")


def share(default: float) -> Parameter:
    """A number from 0 to 1."""

    def parse(raw: str) -> float | None:
        try:
            number = float(raw) if raw.isascii() else None
        except ValueError:
            return None
        return number if number is not None and 0 <= number <= 1 else None

    return Parameter(parse, default, "0 … 1")


PARAMETERS = {
    "mode": choice(*MODES, default="training"),
    "rate": share(PUBLISHED_RATE),
    "seed": whole(0, 2**32 - 1, 0),
}


def drop_of(values: Mapping[str, Any]) -> Drop:
    """Rate and seed; in evaluation nothing is dropped."""
    return (float(values["rate"]), int(values["seed"])) if values["mode"] == "training" else None


@st.fragment
def dropout(sums: Sums) -> None:
    if state.pop("_dropped") and st.query_params.get("side") in ("before", "after"):
        st.rerun(scope="app")  # the number being followed is one of these
    chosen, t = state.Address().read(PARAMETERS), sums.page.t
    write(part(t, "dropout"), paragraph(t, "dropout_said", published=str(PUBLISHED_RATE)))
    controls(sums, chosen)
    drop, rate = drop_of(chosen), float(chosen["rate"])
    after = sums.after_dropout(*drop) if drop else sums.before_dropout()
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        heard = state.selecting("dropout", sums.table)
        components.matrix(key="dropout", data=picture(sums, after[0]), on_selection_change=heard)
    with right:
        numbers(sums, after, rate, training=drop is not None)
    if drop and rate == 1:
        return
    write(paragraph(t, "dropout_cosines"), *pairs_said(sums, "dropout_pairs", "before", "after", drop))
    before, after_it = cosine_matrix(sums, "before"), cosine_matrix(sums, "after", drop)
    beside(sums.table, "cosines_before", before, "cosines_after", after_it)


def controls(sums: Sums, chosen: Mapping[str, Any]) -> None:
    t = sums.page.t
    with st.container(key="dropout_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name in PARAMETERS:
            st.session_state[f"{name}_in"] = chosen[name]
        st.segmented_control(t("mode"), MODES, key="mode_in", format_func=lambda id: t(f"modes.{id}"), required=True,
                             on_change=changed, args=("mode",))  # fmt: skip
        st.number_input(t("rate"), 0.0, 1.0, key="rate_in", step=0.1, on_change=changed, args=("rate",), width=130)
        st.number_input(t("seed"), 0, 2**32 - 1, key="seed_in", step=1, on_change=changed, args=("seed",), width=150)


def changed(name: str) -> None:
    st.session_state["_dropped"] = True
    state.change(**{name: st.session_state[f"{name}_in"]})


def picture(sums: Sums, after: np.ndarray) -> bytes:
    page, part = sums.page, sums.window()
    rows = sums.seen(after, 0)[part]
    header = {
        "name": [],
        "planes": [""],
        "rows": {"param": "pos", "labels": page.tokens[part], "count": len(rows), "from": part.start, "word": ""},
        "columns": {"param": "dim", "labels": None, "count": sums.own.d_model, "from": 0, "word": page.t("matrix.dim")},
        "reach": float(np.quantile(np.abs(sums.now.output), 0.995)),
        "tall": 16 * len(rows),
        "also": {"k": None, "look": None},
        "words": matrix_words(page, "dropout_label", caption=page.t("dropout_caption")),
    }
    return components.pack(header, rows)


def numbers(sums: Sums, after: np.ndarray, rate: float, training: bool) -> None:
    t, name, now, opening, (a, b) = sums.page.t, sums.page.name, sums.now, sums.opening, sums.pair
    cell, stages = float(now.output[opening, 0]), (now.output, after[0])
    rows = [
        [t("dropped.zeros"), *(float((x == 0).mean()) for x in stages)],
        [t("dropped.norm"), *(sums.veil_or(float(np.linalg.norm(x, axis=-1).mean())) for x in stages)],
        [t("dropped.share"), *(sums.veil_or(view.share()) for view in (now, replace(now, parts=after[1:])))],
        [t("dropped.pair", a=name(a), b=name(b)), *(sums.unless_asked(cosine(x[a], x[b])) for x in stages)],
        [t("dropped.self", token=name(opening)), *(cosine(now.output[opening], x[opening]) for x in stages)],
    ]
    facts = {"draws": f"{DRAWS:,}", "token": name(opening), "mean": mean_of_draws(cell, rate), "cell": cell}
    key = "dropout_off" if not training else "dropout_mean" if rate < 1 else "dropout_all"
    write(table(rows, ["", t("dropped.before"), t("dropped.after")]), paragraph(t, key, **facts))


def mean_of_draws(cell: float, rate: float) -> float:
    """The mean of one number over as many draws: dropping and growing leave it where it was, on average."""
    return float(dropped(np.full(DRAWS, cell, np.float64), rate, 1).mean())


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else math.nan
