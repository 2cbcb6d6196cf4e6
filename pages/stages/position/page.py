"""The page, top to bottom."""

import streamlit as st

from pages.shared.body import foot
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.position import words
from pages.stages.position.context import StageContext
from pages.stages.position.followed import followed
from pages.stages.position.opened import opened
from pages.stages.position.orders import why
from pages.stages.position.picture import clocks, controls, waves


def draw(context: StageContext) -> None:
    key, facts = words.lead_of(context)
    parts.title(context, key, **facts)
    predict.ask(context, ("pos", "dim", "kind", "reader", "order"))
    why(context)
    parts.write(parts.heading(context.t, "own_numbers"), words.own_numbers(context))
    piece(context, PICTURE, picture)
    piece(context, "notice", notice)
    foot(context, opened)


def notice(context: StageContext) -> None:
    parts.notice(context, words.notices(context), words.attempt(context))


def picture(context: StageContext) -> None:
    components.controls(key="controls", data=controls(context).data())
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        components.waves(key="waves", data=waves(context).pack())
    components.clocks(key="clocks", data=clocks(context).data())
    with right:
        follow(context, followed)
