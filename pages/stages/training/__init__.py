"""Training: what a part is there for, seen in runs that differ in it alone."""

from collections.abc import Sequence

import streamlit as st

from core.questions import Question, some
from core.questions.training import each
from core.text.token import Token
from pages.shared.address.address import choice, whole
from pages.shared.page.context import PageContext
from pages.shared.page.stage import FOLLOWED, PICTURE, STRIP, Asked, Section, Stage
from pages.stages.training import own_training, practice, recorded
from pages.stages.training.context import DEEPEST, DEPTHS, DIFFERS, Family, StageContext, family_of
from pages.stages.training.page import NOTES, draw


def which(page: PageContext):
    return {
        "what": choice(*DIFFERS, default="norm"),
        "layers": choice(*map(str, DEPTHS), default=DEEPEST),
    }


def view(page: PageContext, chosen) -> Family:
    return family_of(chosen["what"], chosen["layers"])


def questions(page: PageContext, view: Family) -> Sequence[Question]:
    return some(each(view.runs, {id: page.t(f"runs.{id}") for id in view.runs}))


def parameters(page: PageContext, view: Family, asked: Asked):
    return {
        "run": choice(*view.runs, default=next(iter(view.runs))),
        "step": whole(1, view.steps, 1),
        "second": choice("held", "right", default="held"),
    }


def shown(context: StageContext) -> tuple[Token, ...]:
    """A line of the task, which no run was trained on."""
    tokens = context.example.tokens
    question = len(context.example.question)
    return tuple(Token(text, i, 0, 0, i in (question, len(tokens) - 1), 0, i) for i, text in enumerate(tokens))


def box(context: StageContext) -> None:
    """The visitor's sentence is not what trains here."""
    st.html(f"<span class='soft'>{context.t.html('box')}</span>", width="content")


STAGE = Stage(
    "training",
    draw,
    context=StageContext,
    which=which,
    view=view,
    questions=questions,
    parameters=parameters,
    opened_by=("run", "step", "section", *own_training.NAMES),
    sections={
        "own": Section(own_training.draw, own_training.parameters, redraws=own_training.NAMES),
        "recorded": Section(recorded.draw, recorded.parameters),
        "practice": Section(practice.draw),
    },
    redraws={
        STRIP: ("what",),
        PICTURE: ("what", "layers", "second"),
        NOTES: ("what", "layers"),
        FOLLOWED: ("run", "step"),
    },
    shown=shown,
    box=box,
)
