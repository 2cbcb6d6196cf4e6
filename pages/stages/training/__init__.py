"""Training: one weight goes down its gradient; then all of them; then what each part of a network does for that."""

from collections.abc import Sequence

import streamlit as st

from core.questions import Question, some
from core.questions.training import each
from core.text.token import Token
from core.training.runs import Setting
from core.views.descent import RATES, STEPS
from pages.shared.address.address import choice, index
from pages.shared.body import Body, Panel, shows
from pages.shared.page.stage import PICTURE, STRIP, Asked, PageContext, Section, Stage
from pages.stages.training import (
    chat,
    contest,
    gradient,
    overfit,
    own_training,
    positions,
    practice,
    recorded,
    together,
    words,
)
from pages.stages.training.context import USUAL, Descents, StageContext, descents
from pages.stages.training.followed import followed
from pages.stages.training.opened import opened
from pages.stages.training.picture import controls, picture


def view(page: PageContext, chosen) -> Descents:
    return descents()


def questions(page: PageContext, view: Descents) -> Sequence[Question]:
    return some(each(view.of, USUAL))


def parameters(page: PageContext, view: Descents, asked: Asked):
    return {
        "rate": choice(*(f"{rate:g}" for rate in RATES), default=f"{USUAL:g}"),
        "times": index(STEPS + 1, 0),
    }


def shown(context: StageContext) -> tuple[Token, ...]:
    """A line of the task, which no run was trained on."""
    tokens = context.example.tokens
    question = len(context.example.question)
    return tuple(Token(text, i, 0, 0, i in (question, len(tokens) - 1), 0, i) for i, text in enumerate(tokens))


def box(context: StageContext) -> None:
    """The visitor's sentence is not what trains here."""
    st.html(f"<span class='soft'>{context.t.html('box', lines=Setting().batch)}</span>", width="content")


BODY = Body(
    Panel(shows("descent", picture), followed, (1.4, 1), above=shows("controls", controls)),
    opened,
    resets=("times", "rate"),
    lead=words.lead,
    notices=words.notices,
    try_this=words.attempt,
)


STAGE = Stage(
    "training",
    BODY,
    context=StageContext,
    view=view,
    questions=questions,
    parameters=parameters,
    opened_by=("times", "rate", "run", "step", "section", *own_training.NAMES),
    sections={
        "gradient": Section(gradient.draw),
        "together": Section(together.draw, redraws=("rate",)),
        "overfit": Section(overfit.draw),
        "contest": contest.SECTION,
        "own": Section(own_training.draw, own_training.parameters, redraws=own_training.NAMES),
        "recorded": Section(recorded.draw, recorded.parameters),
        "positions": Section(positions.draw, positions.parameters),
        "chat": Section(chat.draw),
        "practice": Section(practice.draw),
    },
    redraws={STRIP: ("what",), PICTURE: ("rate",)},
    recap={
        "loop": {"times": 3, "rate": None},
        "rate": {"times": 3, "rate": "10"},
        "held": {"section": "overfit"},
    },
    shown=shown,
    box=box,
)
