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
from pages.stages.input import words
from pages.stages.input.followed import followed
from pages.stages.input.look import Look
from pages.stages.input.opened import opened
from pages.stages.input.picture import addition


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("part", "pos", "dim", "k", "look"), **words.asked(look))
    piece(look, PICTURE, partial(picture, lead))
    parts.notice(look, words.notices(look), words.attempt(look))
    parts.sections(look)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def picture(lead: Place, look: Look) -> None:
    words.write(lead, look)
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.addition(key="addition", data=packed(look, addition))
    with right:
        follow(look, followed)
