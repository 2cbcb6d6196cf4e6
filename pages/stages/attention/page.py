"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared import components, parts, predict
from pages.shared.exercises import exercises
from pages.shared.follow import follow
from pages.shared.open_it import open_it
from pages.shared.parts import Place
from pages.shared.pictures import packed
from pages.shared.stage import PICTURE, piece
from pages.stages.attention import words
from pages.stages.attention.chain import chain
from pages.stages.attention.followed import followed
from pages.stages.attention.look import Look
from pages.stages.attention.opened import opened
from pages.stages.attention.picture import controls, matrix, thumbnails


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("kind", "layer", "head", "show", "q", "k", "dim"), **words.asked(look))
    middle = st.container(key=PICTURE)
    said = parts.notice(look, (), words.attempt(look))
    with middle:
        piece(look, PICTURE, partial(picture, lead, said))
    parts.sections(look)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def picture(lead: Place, said: Place, look: Look) -> None:
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.12, 1], gap="large")
    with left:
        components.chain(key="chain", data=packed(look, chain))
        components.matrix(key="matrix", data=matrix(look).pack())
    with right:
        follow(look, followed, also=partial(words.write, lead, said))
    components.thumbnails(key="heads", data=thumbnails(look).pack())
