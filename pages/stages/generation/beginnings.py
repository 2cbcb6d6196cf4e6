"""Beginnings that show something: what comes first, and how likely the model finds it; a word's probability is not its
truth."""

import html

import streamlit as st

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.run_spec import RunSpec
from core.views.generation import GenerationView
from core.writing import Sampling, Step
from pages.shared.address.visit import on_press
from pages.shared.number.number_links import number
from pages.shared.page.parts import heading, paragraph, paragraphs, write
from pages.shared.page.stage import Section
from pages.stages.generation.context import StageContext, view_of, written

SEEN = 0.01  # of the line: what is smaller is not drawn
NARROWEST, LETTER = 330, 12  # pixels of the line, and of a letter on it with its edges


def draw(context: StageContext) -> None:
    """Each with a button that sets it up; while a question is open, not the sentence that it is about."""
    t = context.t
    write(heading(t, "tries"), paragraph(t, "tries.said"))
    for id, text in context.page.opening["tries"].items():
        if context.veiled and text == context.page.text:
            continue
        sets = {"text": text, "mode": None, "temperature": "0", "n": 1, "q": 0} | OF.get(id, {})
        with st.container(key=f"beginning_{id}", gap=None):
            st.button(text, key=f"try_{id}", type="tertiary", on_click=on_press(context, **sets))
            facts = first(context, text)
            write(paragraphs([t.html(f"tries.{id}" if facts else "busy", **facts)]) + line(context, text))


OF = {"loop": {"n": 40}, "count": {"n": 24}}  # what shows only after a while


def begun(context: StageContext, text: str) -> tuple[GenerationView, tuple[Step, ...]]:
    """The first token after a text, greedily; no step where it is still being made."""
    view = view_of(context.page.address.model, text, False, Sampling(), 1)
    return view, written(view, 1)


def first(context: StageContext, text: str) -> dict[str, object]:
    """The two tokens that the model finds likeliest after a text; nothing where they are still being made."""
    view, steps = begun(context, text)
    if not steps:
        return {}
    row, run = len(view.tokens) - 1, RunSpec(text)
    found: dict[str, object] = {}
    for name, share_name, id in zip(
        ("word", "second"), ("share", "second_share"), view.likeliest(steps[0]), strict=False
    ):
        share = steps[0].lines[0].shares[steps[0].best.index(id)]
        found |= {name: context.name(id), share_name: number(context, share, Cell(LIKELY, (row, id)), given=run)}
    return found


def line(context: StageContext, text: str) -> str:
    """The line from 0 to 1 of what may come first, as the page draws it large."""
    view, steps = begun(context, text)
    if not steps:
        return ""
    first, parts = view.likeliest(steps[0])[0], []
    for id, share in zip(steps[0].best, steps[0].lines[0].shares, strict=False):
        if share < SEEN:
            break
        if id in view.writing.never:
            continue
        name, wide = context.name(id), f"style='width:{100 * share:.1f}%'"
        shown = html.escape(name) if share * NARROWEST > LETTER * len(name) else ""
        parts.append(f"<i class='{'first' if id == first else ''}' {wide} title='{share:.4f}'>{shown}</i>")
    return f"<div class='unit' aria-hidden='true'>{''.join(parts)}</div>"


SECTION = Section(draw)
