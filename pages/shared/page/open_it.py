"""Open it: formula, code, shapes, another implementation's numbers. Computed only when opened."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.shared.address import visit
from pages.shared.page import takeaway
from pages.shared.page.opened import Opened
from pages.shared.page.parts import table
from pages.shared.page.sources import source, where
from pages.shared.page.stage import OPENED, TAKEN, PageContext, StageContext, piece
from pages.shared.words.numbers import short


def open_it(context: StageContext, opened: Callable[[Any], Opened], closed: bool = False) -> None:
    """The closed lines at the foot of a page; `opened` runs only once one of them is opened. `closed`: while a question
    is open that everything would answer, there is nothing to open, and only what is seen may be taken away."""
    if not closed:
        piece(context, OPENED, partial(draw, opened))
    piece(context, TAKEN, partial(takeaway.draw, None if closed else opened))


def draw(opened: Callable[[Any], Opened], context: StageContext) -> None:
    st.session_state["open_it"] = context.values["open"] == "1"
    with st.expander(context.t("open_it"), key="open_it", on_change=toggle) as expander:
        if expander.open:
            show(context.page, opened(context))


def toggle() -> None:
    visit.change(open="1" if st.session_state["open_it"] else None)


def show(page: PageContext, opened: Opened) -> None:
    t = page.t
    st.subheader(t("open.formula"), anchor=False)
    st.latex(opened.formula)
    left, right = st.columns([1, 2.3], gap="large")
    with left:
        st.subheader(t("open.compare"), anchor=False)
        other = opened.other or t("other")
        with st.spinner(t("open.comparing", other=other)):
            what, difference = opened.compare()
        st.html(f"<p>{t.html(opened.compared, what=what, other=other, difference=short(difference))}</p>")
    with right:
        st.subheader(t("open.shapes"), anchor=False)
        st.html(shape_table(opened))
    st.subheader(t("open.code"), anchor=False)
    for function in opened.code:
        st.html(f"<p class='soft'>{where(function)}</p>")
        st.code(source(function), language="python")


def shape_table(opened: Opened) -> str:
    return table([(name, " × ".join(dims), " × ".join(map(str, shape))) for name, dims, shape in opened.shapes])
