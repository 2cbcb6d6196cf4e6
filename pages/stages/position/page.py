"""The page, top to bottom."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared import components, parts, predict
from pages.shared.follow import follow
from pages.shared.open_it import open_it
from pages.shared.stage import PICTURE, piece
from pages.stages.position import words
from pages.stages.position.followed import followed
from pages.stages.position.look import Look
from pages.stages.position.opened import opened
from pages.stages.position.orders import why
from pages.stages.position.picture import clocks, controls, waves


def draw(look: Look) -> None:
    lead = parts.title(look)
    predict.ask(look, ("pos", "dim", "kind", "reader", "order"))
    piece(look, PICTURE, partial(picture, lead))
    piece(look, "notice", notice)
    why(look)
    parts.sections(look)
    open_it(look, opened)
    parts.next_stop(look.page)


def notice(look: Look) -> None:
    parts.notice(look, words.notices(look), words.attempt(look))


def picture(lead: DeltaGenerator, look: Look) -> None:
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        components.waves(key="waves", data=waves(look).pack())
    components.clocks(key="clocks", data=clocks(look).data())
    with right:
        follow(look, followed, also=partial(words.write, lead))
