"""Predict, then reveal: the question between lead and controls, and whether it is still open."""

import html
from collections.abc import Iterable

import streamlit as st

from core.questions import Question
from pages.shared import state
from pages.shared.page import Page


def is_open(page: Page, question: Question | None, selected: Iterable[str] = state.SELECTED) -> bool:
    """True until the question is answered or waved off. A link to what is `selected` opens with the answer in sight."""
    if question is None:
        return False
    answers = ("skip", *(choice.id for choice in question.choices))
    if page.address["guess"] not in (None, *answers):
        page.address.drop("guess", allowed=", ".join(answers))
    if page.address["guess"] is not None:
        return False
    asked = st.session_state.setdefault("_asked", set())  # what this visit left open: Back finds it open again
    if (page.slug, page.text) not in asked and any(name in page.address.raw for name in selected):
        page.address.set("guess", "skip")
        return False
    asked.add((page.slug, page.text))
    return True


def ask(page: Page, question: Question | None, reset: Iterable[str], **names: object) -> None:
    """The question with its choices, or the answer with its reason.

    `reset` names what answering sets back to the opening; `names` stand in the words beside the question's facts.
    """
    if question is None:
        return
    facts = {"row": question.row, **question.facts, **names}
    with st.container(key="predict", horizontal=True, vertical_alignment="center", gap="small"):
        if is_open(page, question):
            words = page.t.html(f"predict.{question.template}.question", **facts)
            st.html(f"<b>{page.t.html('predict_title')}</b> {words}", width="content")
            for choice in question.choices:
                label = (
                    choice.token
                    if choice.token is not None
                    else page.t(f"predict.{question.template}.{choice.id}", **facts)
                )
                st.button(plain(label), key=f"guess_{choice.id}", on_click=answer, args=(choice.id, reset))
            st.button(page.t("just_show_me"), key="skip", type="tertiary", on_click=answer, args=("skip", reset))
            return
        given = page.address["guess"]
        verdict = (
            "" if given not in [c.id for c in question.choices] else "right" if given == question.answer else "wrong"
        )
        said = f"<b>{page.t.html(f'predict_{verdict}')}</b> " if verdict else ""
        st.html(f"<div class='answer'>{said}{page.t.html(f'predict.{question.template}.answer', **facts)}</div>")


def answer(guess: str, reset: Iterable[str]) -> None:
    state.change(guess=guess, **dict.fromkeys(reset))


def plain(label: str) -> str:
    """A token as a button's label: Markdown in it stays as typed."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|<>$:~^" else c for c in html.unescape(label))
