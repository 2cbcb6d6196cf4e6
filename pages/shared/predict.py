"""Predict, then reveal: the question between lead and controls, and its answer in its place."""

import html
from collections.abc import Iterable, Sequence

import streamlit as st

from core.questions import Choice
from core.text.unicode import is_cjk
from pages.shared.stage import Look
from pages.shared.texts import Texts, help_of
from pages.shared.visit import on_press

LINE = 6300  # hundredths of an em that stand in one line of the box, on a laptop
BUTTON = 400  # of them for the room around a choice


def ask(look: Look, reset: Iterable[str], **names: object) -> None:
    """The question with its choices, or the answer with its reason.

    `reset` names what answering sets back to the opening; `names` stand in the words beside the question's facts.
    """
    question, t = look.question, look.t
    if question is None:
        return
    facts = {"row": question.row, **question.facts, **names}
    words = f"predict.{question.template}"
    offered = [(choice, said_of(look, choice, **names)) for choice in question.choices]
    lines = lines_of(t, t(f"{words}.question", **facts), t(f"{words}.answer", **facts), offered)

    def answer(guess: str):
        return on_press(look, guess=guess, **dict.fromkeys(reset))

    with st.container(key="predict", horizontal=True, vertical_alignment="center", gap="small"):
        if look.veiled:
            asked = t.html(f"{words}.question", **facts)
            st.html(f"<b class='label' data-lines='{lines}'>{t.html('predict_title')}</b> {asked}", width="content")
            for choice, said in offered:
                label = plain(said) if choice.token is None else token(said)
                help = help_of(look.page.slug, t.language, "guess")
                st.button(label, key=f"guess_{choice.id}", help=help, on_click=answer(choice.id))
            help = help_of(look.page.slug, t.language, "skip")
            st.button(t("just_show_me"), key="skip", help=help, type="tertiary", on_click=answer("skip"))
            return
        said = verdict(look)
        said = f"<b class='label'>{t.html(f'predict_{said}')}</b> " if said else ""
        answered = f"{said}{t.html(f'{words}.answer', **facts)}"
        st.html(f"<div class='answer' tabindex='-1' data-lines='{lines}'>{answered}</div>")


def said_of(look: Look, choice: Choice, **names: object) -> str:
    """A choice in words, or as the token it is."""
    question = look.question
    assert question is not None
    facts = {"row": question.row, **question.facts, **names}
    return choice.token or look.t(f"predict.{question.template}.{choice.id}", **facts)


def choices(look: Look) -> list[str]:
    """What may be answered, where there is a question."""
    return [said_of(look, choice) for choice in look.question.choices] if look.question else []


def lines_of(t: Texts, question: str, answer: str, choices: Sequence[tuple[Choice, str]]) -> int:
    """One or two: how many lines the box must hold, when it asks and when it is answered; it is as high in both."""
    asked = width(t("predict_title") + question) + sum(width(said) + BUTTON for choice, said in choices)
    return 2 if max(width(t("predict_right") + answer), asked + width(t("just_show_me")) + BUTTON) > LINE else 1


def width(text: str) -> int:
    """About how wide a text is, in hundredths of an em: a Chinese character is as wide as high."""
    return sum(100 if is_cjk(character) or "\u3000" <= character <= "\uffef" else 43 for character in text)


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
