"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.body import foot
from pages.shared.number import follow
from pages.shared.page import parts, predict
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.size import words
from pages.stages.size.followed import followed
from pages.stages.size.look import Look
from pages.stages.size.opened import opened
from pages.stages.size.picture import choices, controls, shares


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("part",), model=look.page.model_name)
    middle = st.container()
    noticed = parts.notice(look, (), words.to_try(look))
    with middle:
        components.controls(key="choices", data=choices(look).data())
        piece(look, PICTURE, partial(picture, lead, noticed))
    foot(look, opened, waits=True)


def picture(lead: Place, noticed: Place, look: Look) -> None:
    parts.say(look, lead, noticed, words.lead(look), words.notices(look))
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        components.shares(key="shares", data=shares(look).data())
    with right:
        follow.follow(look, followed)
