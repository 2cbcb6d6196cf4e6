"""Open it: formula, code, shapes, another implementation's numbers, export. Computed only when opened."""

import csv as writer
import inspect
import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from pages.shared import cached, visit
from pages.shared.numbers import short
from pages.shared.page import Page
from pages.shared.parts import table
from pages.shared.stage import OPENED, Look, piece

if TYPE_CHECKING:
    from core.edits import Edit


@dataclass(frozen=True)
class Opened:
    """What one stage shows when it is opened."""

    formula: str  # LaTeX, with this cell's numbers in it
    code: Sequence[object]  # the functions that ran
    shapes: Sequence[tuple[str, tuple[str, ...], tuple[int, ...]]]  # name, dimension names, shape
    compare: Callable[[], tuple[str, float]]  # runs the other implementation: what was compared, largest difference
    table: Callable[[], str]  # the matrix shown, as CSV
    table_name: str
    compared: str = "open.compared"  # the sentence about what `compare` gives
    captured: bool = True  # whether the capture may be taken away: not while it answers the open question
    other: str = ""  # whose implementation that is, where it is none of the model's
    edits: "tuple[Edit, ...]" = ()  # the page's "what if", which belongs to what is taken away
    of_model: bool = True  # whether a model ran, so that it has taps to export


def open_it(look: Look, opened: Callable[[Any], Opened]) -> None:
    """The closed line at the foot of a page; `opened` runs only once it is opened."""
    piece(look, OPENED, partial(draw, opened))


def draw(opened: Callable[[Any], Opened], look: Look) -> None:
    st.session_state["open_it"] = look.values["open"] == "1"
    with st.expander(look.t("open_it"), key="open_it", on_change=toggle) as expander:
        if expander.open:
            show(look.page, opened(look))


def toggle() -> None:
    visit.change(open="1" if st.session_state["open_it"] else None)


def show(page: Page, opened: Opened) -> None:
    t = page.t
    left, right = st.columns([1, 1.2], gap="large")
    with left:
        st.subheader(t("open.formula"), anchor=False)
        st.latex(opened.formula)
        st.subheader(t("open.shapes"), anchor=False)
        st.html(shape_table(opened))
        st.subheader(t("open.compare"), anchor=False)
        other = opened.other or t(page.own("other"))
        with st.spinner(t("open.comparing", other=other)):
            what, difference = opened.compare()
        st.html(f"<p>{t.html(opened.compared, what=what, other=other, difference=short(difference))}</p>")
        st.subheader(t("open.export"), anchor=False)
        export(page, opened)
    with right:
        st.subheader(t("open.code"), anchor=False)
        for function in opened.code:
            st.html(f"<p class='soft'>{where(function)}</p>")
            st.code(source(function), language="python")


def shape_table(opened: Opened) -> str:
    return table([(name, " × ".join(dims), " × ".join(map(str, shape))) for name, dims, shape in opened.shapes])


def export(page: Page, opened: Opened) -> None:
    t, text, name = page.t, page.text, page.address.model
    small = len(page.trace.tokens) <= cached.WHOLE
    with st.container(horizontal=True):
        st.download_button(t("open.csv"), opened.table, opened.table_name, "text/csv", key="csv", on_click="ignore")
        if opened.of_model and small and opened.captured:
            taps = partial(every_tap, name, text, opened.edits)
            st.download_button(t("open.npz"), taps, "capture.npz", key="npz", on_click="ignore")
    if not opened.of_model:
        return
    if not opened.captured:
        st.html(f"<p class='soft'>{t.html('open.withheld')}</p>")
    elif not small:
        st.html(f"<p class='soft'>{t.html('open.too_long', limit=cached.WHOLE)}</p>")
        st.code('python -m core "…" --save capture.npz', language="bash")


def every_tap(name: str, text: str, edits: "tuple[Edit, ...]" = ()) -> bytes:
    """Every tap of a fresh capture, with the page's edits, as .npz; the keys are tap names."""
    from core import capture

    run, file = capture(cached.model(name), text, edits=edits), io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **{tap: run[tap] for tap in run.names()})  # type: ignore[arg-type]
    return file.getvalue()


@cache
def source(function) -> str:
    return textwrap.dedent(inspect.getsource(function))


@cache
def where(function) -> str:
    module = inspect.getmodule(function)
    return f"{module.__name__.replace('.', '/')}.py · {function.__qualname__}" if module else function.__qualname__


def csv(array: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """A matrix with its labels; a cell that may not be seen yet stays empty."""
    file = io.StringIO()
    out = writer.writer(file)
    out.writerow(["", *columns])
    for label, row in zip(rows, array, strict=True):
        out.writerow([label, *("" if np.isnan(v) else repr(float(v)) for v in row)])
    return file.getvalue()
