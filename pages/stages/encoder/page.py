"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared import components, parts, predict
from pages.shared.exercises import exercises
from pages.shared.follow import follow
from pages.shared.open_it import open_it
from pages.shared.parts import Place
from pages.shared.stage import PICTURE, piece
from pages.stages.encoder import doors, words
from pages.stages.encoder.followed import followed
from pages.stages.encoder.look import Look
from pages.stages.encoder.opened import opened
from pages.stages.encoder.picture import diagram


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("layer", "pos", "q", "part"), **words.asked(look))
    above, below = st.container(), st.container()
    with below:
        said = parts.notice(look, (), words.attempt(look))
    with above:
        piece(look, PICTURE, partial(picture, lead, said))
    parts.sections(look)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def picture(lead: Place, said: Place, look: Look) -> None:
    words.write(lead, said, look)
    doors.draw(look)
    left, right = st.columns([1.35, 1], gap="large")
    with left:
        components.diagram(key="diagram", data=diagram(look).data())
    with right:
        follow(look, followed)
