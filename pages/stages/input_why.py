"""Why √d, on tables as training finds them; and why adding is the same as laying side by side with one W."""

import math

import numpy as np
import streamlit as st

from core.views.input import at_start, multiplies, one_map
from pages.shared import cached, state
from pages.shared.numbers import grouped
from pages.shared.state import whole
from pages.stages.input_pieces import paragraph, part, table, write
from pages.stages.input_sides import Sums

PARAMETERS = {"width": whole(2, 2048, 512)}
WIDTHS = 128, 512, 768  # the translator's, the paper's, BERT's
STARTS = ("token", "position", "share_plain", "share_scaled", "scores_plain", "scores_scaled", "logits", "logits_large")


@st.fragment
def why(sums: Sums) -> None:
    """A table as training finds it, for three widths and one of the visitor's own."""
    page, own, t = sums.page, sums.own, sums.page.t
    if sums.veiled:  # norms of tokens and positions would answer the question
        return write(part(t, "why"), paragraph(t, "why_veiled"))
    chosen = int(state.Address().read(PARAMETERS)["width"])
    write(part(t, "why"), paragraph(t, "why_norms", vocab="1,000", seed=0))
    st.session_state["width_in"] = chosen
    st.number_input(t("why_width"), 2, 2048, key="width_in", step=1, on_change=set_width, width=160)
    widths = list(dict.fromkeys([*WIDTHS, chosen]))
    starts = [cached.remember(("input start", d), lambda d=d: at_start(d)) for d in widths]
    rows = [[t(f"start.{name}"), *(getattr(s, name) for s in starts)] for name in STARTS]
    made, root = starts[widths.index(chosen)], math.sqrt(own.d_model)
    norm = float(np.linalg.norm(own.rows[0], axis=-1).mean())
    write(
        table(rows, ["", *(f"d = {d}" for d in widths)]),
        paragraph(t, "why_tied", d_model=chosen, logits=made.logits, large=made.logits_large),
        paragraph(t, "why_not", d_model=chosen, plain=made.scores_plain, scaled=made.scores_scaled),
        paragraph(
            t,
            "why_has" if multiplies(page.model) else "why_has_not",
            **{"model": page.model_name, "norm": norm, "root": root, "d_model": own.d_model},
        ),
    )


def set_width() -> None:
    state.change(width=st.session_state["width_in"])


# ---- adding is concatenating with one W

LETTERS = {"token": "e", "position": "p", "segment": "s"}
FORMULA = {
    2: r"W(e + p) = We + Wp = \begin{bmatrix} W & W \end{bmatrix} \begin{bmatrix} e \\ p \end{bmatrix}",
    3: r"W(e + p + s) = We + Wp + Ws = \begin{bmatrix} W & W & W \end{bmatrix}"
    r"\begin{bmatrix} e \\ p \\ s \end{bmatrix}",
}


def tied(sums: Sums) -> None:
    page, now, token, t = sums.page, sums.now, sums.opening, sums.page.t
    made = cached.remember(
        ("one map", page.address.model, page.text, token, *(e.id for e in sums.edits)),
        lambda: one_map(now, page.model, token),
    )
    d, parts = now.d_model, len(now.names)
    write(part(t, "tied"), paragraph(t, "tied_said", token=page.name(token), d_model=d, wide=grouped(parts * d)))
    st.latex(FORMULA[parts])
    heads = [
        t("tied.unit"),
        *(f"W {LETTERS[name]}" for name in now.names),
        t("tied.summed"),
        t("tied.of_sum"),
        t("tied.of_joined"),
    ]
    rows = [
        [str(i), *map(float, made.each[:, i]), float(made.summed[i]), float(made.of_sum[i]), float(made.of_joined[i])]
        for i in range(4)
    ]
    facts = {"units": d, "difference": made.difference, "shape": f"{made.wide[0]} × {made.wide[1]}"}
    sizes = {"narrow": f"{made.shape[0] * made.shape[1]:,}", "broad": f"{made.wide[0] * made.wide[1]:,}"}
    write(table(rows, heads), paragraph(t, "tied_checked", **facts, **sizes))
