"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.address.visit import on_press
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.exercises import exercises
from pages.shared.page.open_it import open_it
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.translation import words
from pages.stages.translation.followed import followed
from pages.stages.translation.look import Look
from pages.stages.translation.opened import opened
from pages.stages.translation.picture import MATRICES, controls, cross, decoding, own


def draw(look: Look) -> None:
    lead = parts.title(look)
    if near := look.offered:
        said = look.t("near", zh=near.zh, en=near.en)
        st.button(said, key="near", type="tertiary", on_click=on_press(look, text=near.zh))
    predict.ask(look, ("layer", "head", "q", "k", "j"), **words.asked(look))
    above, middle, below = st.container(), st.container(), st.container()
    said = parts.notice(look, (), words.attempt(look))
    with above:
        piece(look, PICTURE, partial(picture, lead, said))
    with middle:  # changing a word is what shows most: it stands before the matrices
        parts.sections(look)
    with below:
        piece(look, MATRICES, matrices)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def picture(lead: Place, said: Place, look: Look) -> None:
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        components.decoding(key="decoding", data=decoding(look).pack())
    with right:
        follow(look, followed, also=partial(words.write, lead, said))


def matrices(look: Look) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        components.matrix(key="cross", data=cross(look).pack())
    with right:
        components.matrix(key="own", data=own(look).pack())
