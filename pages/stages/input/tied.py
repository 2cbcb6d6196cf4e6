"""Why adding is the same as laying side by side with one W."""

import streamlit as st

from core.views.input import OneMap, one_map
from pages.shared import cached
from pages.shared.numbers import grouped
from pages.shared.parts import heading, paragraph, table, write
from pages.stages.input.look import Look

LETTERS = {"token": "e", "position": "p", "segment": "s"}
FORMULA = {
    2: r"W(e + p) = We + Wp = \begin{bmatrix} W & W \end{bmatrix} \begin{bmatrix} e \\ p \end{bmatrix}",
    3: r"W(e + p + s) = We + Wp + Ws = \begin{bmatrix} W & W & W \end{bmatrix}"
    r"\begin{bmatrix} e \\ p \\ s \end{bmatrix}",
}
UNITS = 4  # rows of the table


def draw(look: Look) -> None:
    t, now, token = look.t, look.view.now, look.opening
    key = "one map", *look.key, token, *cached.ids(look.view.edits)
    made = cached.remember(key, lambda: one_map(now, look.page.model, token))
    d, parts = now.d_model, len(now.names)
    said = paragraph(t, "tied_said", token=look.page.name(token), d_model=d, wide=grouped(parts * d))
    write(heading(t, "tied"), said)
    st.latex(FORMULA[parts])
    facts = {"units": d, "difference": made.difference, "shape": f"{made.wide[0]} × {made.wide[1]}"}
    sizes = {"narrow": f"{made.shape[0] * made.shape[1]:,}", "broad": f"{made.wide[0] * made.wide[1]:,}"}
    checked = paragraph(t, "tied_checked", **facts, **sizes)
    write(table(rows(made), heads(look), kind="sums"), checked)


def heads(look: Look) -> list[str]:
    each = [f"W {LETTERS[name]}" for name in look.view.now.names]
    return [look.t("tied.unit"), *each, *(look.t(f"tied.{way}") for way in ("summed", "of_sum", "of_joined"))]


def rows(made: OneMap) -> list[list[object]]:
    return [
        [str(i), *map(float, (*made.each[:, i], made.summed[i], made.of_sum[i], made.of_joined[i]))]
        for i in range(UNITS)
    ]
