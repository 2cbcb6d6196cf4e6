"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.body import foot
from pages.shared.number import follow
from pages.shared.page import parts, predict
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed
from pages.stages.training import words
from pages.stages.training.context import StageContext
from pages.stages.training.followed import followed
from pages.stages.training.opened import opened
from pages.stages.training.picture import controls, runs

NOTES = "notes"


def draw(context: StageContext) -> None:
    lead = parts.title(context)
    piece(context, PICTURE, partial(picture, lead))
    piece(context, NOTES, notes)
    foot(context, opened, waits=True)


def picture(lead: Place, context: StageContext) -> None:
    """The question belongs to what is compared, and comes and goes with it."""
    key, facts = words.lead(context)
    parts.write_lead(context, lead, key, **facts)
    predict.ask(context, ("run", "step"), **words.asked(context))
    components.controls(key="controls", data=controls(context).data())
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        components.runs(key="runs", data=packed(context.of_any_sentence("second"), runs))
    with right:
        follow.follow(context, followed)


def notes(context: StageContext) -> None:
    parts.notice(context, words.notices(context), words.to_try(context))
