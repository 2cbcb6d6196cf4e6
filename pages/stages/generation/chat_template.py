"""The template: what a chat model is really given, and what that changes."""

import html

import streamlit as st

from core.text.chat import MARKS, chat
from core.views.generation import spelt
from core.writing import Sampling
from pages.shared.address.visit import on_press
from pages.shared.page.parts import heading, paragraph, paragraphs, shown_by, table, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.stages.generation.context import StageContext, view_of, written

FEW = 16  # tokens of either text


def draw(context: StageContext) -> None:
    t, model, text = context.t, context.page.model, context.page.text
    write(heading(t, "template"))
    if not model.chats:
        write(paragraphs([t.html("template.none")]), shown(text))
        return shown_by(context, "answer", t("template.shown_by", model="{model}"), "template")
    own, all_of_it = (len(cached.trace(model.id, row).tokens) for row in (text, chat(text)))
    write(paragraph(t, "template.said", own=own, added=all_of_it - own, all=all_of_it), shown(text))
    write(paragraph(t, "template.turns"))
    if marks := [mark for mark in MARKS if mark in text]:
        write(paragraph(t, "template.typed", marks=" ".join(marks)))
    if not context.veiled:
        write(paragraph(t, "template.both"), table([way(context, False), way(context, True)]))
    other = "text" if context.view.chat else "chat"
    st.button(t(f"template.{other}"), key="other_mode", type="tertiary", on_click=on_press(context, mode=other, n=24))


def shown(text: str) -> str:
    """The template, with what was typed in bold."""
    before, after = chat("\0").split("\0")
    return f"<pre class='template'>{html.escape(before)}<b>{html.escape(text)}</b>{html.escape(after)}</pre>"


def way(context: StageContext, asked: bool) -> list[str]:
    """How it goes on greedily, as a beginning or as a question."""
    view = view_of(context.page.address.model, context.page.text, asked, Sampling(), FEW)
    steps = written(view, FEW)
    said = "".join(spelt(context.page.model, step.id) for step in steps)
    return [
        context.t(f"modes.{'chat' if asked else 'text'}"),
        said + ("" if steps and steps[-1].id == view.writing.end else " …"),
    ]


SECTION = Section(draw, redraws=())
