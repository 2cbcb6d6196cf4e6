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
from pages.stages.training.followed import followed
from pages.stages.training.look import Look
from pages.stages.training.opened import opened
from pages.stages.training.picture import controls, runs

NOTES = "notes"


def draw(look: Look) -> None:
    lead = parts.title(look)
    piece(look, PICTURE, partial(picture, lead))
    piece(look, NOTES, notes)
    foot(look, opened, waits=True)


def picture(lead: Place, look: Look) -> None:
    """The question belongs to what is compared, and comes and goes with it."""
    key, facts = words.lead(look)
    parts.write_lead(look, lead, key, **facts)
    predict.ask(look, ("run", "step"), **words.asked(look))
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        components.runs(key="runs", data=packed(look.of_any_sentence("second"), runs))
    with right:
        follow.follow(look, followed)


def notes(look: Look) -> None:
    parts.notice(look, words.notices(look), words.to_try(look))
