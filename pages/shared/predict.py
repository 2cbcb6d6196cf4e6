"""Predict, then reveal: the question between lead and controls, and its answer in its place."""

import html
from collections.abc import Iterable

import streamlit as st

from pages.shared.stage import Look
from pages.shared.visit import on_press


def ask(look: Look, reset: Iterable[str], **names: object) -> None:
    """The question with its choices, or the answer with its reason.

    `reset` names what answering sets back to the opening; `names` stand in the words beside the question's facts.
    """
    question, t = look.question, look.t
    if question is None:
        return
    facts = {"row": question.row, **question.facts, **names}
    words = f"predict.{question.template}"

    def answer(guess: str):
        return on_press(look, guess=guess, **dict.fromkeys(reset))

    with st.container(key="predict", horizontal=True, vertical_alignment="center", gap="small"):
        if look.veiled:
            asked = t.html(f"{words}.question", **facts)
            st.html(f"<b>{t.html('predict_title')}</b> {asked}", width="content")
            for choice in question.choices:
                label = plain(t(f"{words}.{choice.id}", **facts)) if choice.token is None else token(choice.token)
                st.button(label, key=f"guess_{choice.id}", on_click=answer(choice.id))
            st.button(t("just_show_me"), key="skip", type="tertiary", on_click=answer("skip"))
            return
        said = verdict(look)
        said = f"<b>{t.html(f'predict_{said}')}</b> " if said else ""
        st.html(f"<div class='answer' tabindex='-1'>{said}{t.html(f'{words}.answer', **facts)}</div>")


def verdict(look: Look) -> str:
    """Whether the guess was right or wrong; nothing where it was waved off."""
    question, given = look.question, look.page.address["guess"]
    if question is None or given not in [choice.id for choice in question.choices]:
        return ""
    return "right" if given == question.answer else "wrong"


def token(text: str) -> str:
    """A token is set as one; what is said in words is not."""
    return f"**{plain(text)}**" if text.strip() else plain(text)


def plain(label: str) -> str:
    """A token as a button's label: Markdown in it stays as typed."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|<>$:~^" else c for c in html.unescape(label))
