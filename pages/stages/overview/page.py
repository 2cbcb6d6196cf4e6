"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.body import foot
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict, slides
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.overview import doors, words
from pages.stages.overview.followed import followed
from pages.stages.overview.look import Look
from pages.stages.overview.opened import opened
from pages.stages.overview.picture import depth


def draw(look: Look) -> None:
    lead = parts.title(look)
    if not slides.shown(look.page.address, look.page.slug):
        slides.begin(look.t, look.page.address, "begin")
    predict.ask(look, ("depth", "q", "k"), **words.asked(look))
    with st.container(key=PICTURE):
        piece(look, PICTURE, partial(picture, lead))
    doors.draw(look)
    foot(look, opened)


def picture(lead: Place, look: Look) -> None:
    """Another pair, or another depth, asks for the derivation and its sentences alone."""
    components.depth(key="depth", data=depth(look).pack())
    left, right = st.columns([1.08, 1], gap="large")
    with right:
        said = parts.notice(look, (), words.attempt(look))
    with left:
        follow(look, followed, partial(words.write, lead, said))
