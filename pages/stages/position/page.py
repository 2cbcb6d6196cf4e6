"""The page, top to bottom."""

import streamlit as st

from pages.shared.body import foot
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.position import words
from pages.stages.position.followed import followed
from pages.stages.position.look import Look
from pages.stages.position.opened import opened
from pages.stages.position.orders import asked, why
from pages.stages.position.picture import clocks, controls, waves


def draw(look: Look) -> None:
    key, facts = words.lead_of(look)
    parts.title(look, key, **facts)
    predict.ask(look, ("pos", "dim", "kind", "reader", "order"), **asked(look))
    why(look)
    parts.write(parts.heading(look.t, "own_numbers"), words.own_numbers(look))
    piece(look, PICTURE, picture)
    piece(look, "notice", notice)
    foot(look, opened)


def notice(look: Look) -> None:
    parts.notice(look, words.notices(look), words.attempt(look))


def picture(look: Look) -> None:
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.2, 1], gap="large")
    with left:
        components.waves(key="waves", data=waves(look).pack())
    components.clocks(key="clocks", data=clocks(look).data())
    with right:
        follow(look, followed)
