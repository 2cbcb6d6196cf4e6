"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared import components, parts, predict
from pages.shared.exercises import exercises
from pages.shared.follow import follow
from pages.shared.open_it import open_it
from pages.shared.parts import Place
from pages.shared.stage import PICTURE, piece
from pages.stages.layernorm import words
from pages.stages.layernorm.followed import followed
from pages.stages.layernorm.look import Look
from pages.stages.layernorm.opened import opened
from pages.stages.layernorm.picture import controls, lanes


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("norm", "given", "eps", "method", "part", "pos", "dim"))
    components.controls(key="controls", data=controls(look).data())
    middle = st.container()
    said = parts.notice(look, (), words.attempt(look))
    with middle:
        piece(look, PICTURE, partial(picture, lead, said))
    parts.sections(look)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def picture(lead: Place, said: Place, look: Look) -> None:
    words.write(lead, said, look)
    left, right = st.columns([1.22, 1], gap="medium")
    with left:
        components.lanes(key="lanes", data=lanes(look).pack())
    with right:
        follow(look, followed)
