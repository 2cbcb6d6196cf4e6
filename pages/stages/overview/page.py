"""The page, top to bottom."""

import streamlit as st

from pages.shared import components, parts, predict
from pages.shared.follow import follow
from pages.shared.open_it import open_it
from pages.shared.stage import PICTURE, piece
from pages.stages.overview import doors, words
from pages.stages.overview.followed import followed
from pages.stages.overview.look import Look
from pages.stages.overview.opened import opened
from pages.stages.overview.picture import depth


def draw(look: Look) -> None:
    lead, names = words.lead(look)
    parts.title(look, lead, **names)
    predict.ask(look, ("depth", "q", "k"))
    with st.container(key=PICTURE):
        piece(look, PICTURE, picture)
    doors.draw(look)
    open_it(look, opened)
    parts.next_stop(look.page)


def picture(look: Look) -> None:
    """What another pair changes. Dragged through the depth, the picture asks for the derivation alone."""
    components.depth(key="depth", data=depth(look).pack())
    left, right = st.columns([1.08, 1], gap="large")
    with left:
        follow(look, followed)
    with right:
        parts.notice(look, words.notices(look), words.attempt(look))
