"""The page, top to bottom."""

import streamlit as st

from pages.shared.body import foot
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.embedding import pairs, words
from pages.stages.embedding.context import StageContext
from pages.stages.embedding.followed import followed
from pages.stages.embedding.opened import opened
from pages.stages.embedding.picture import controls, output, table


def draw(context: StageContext) -> None:
    lead, names = words.lead(context)
    parts.title(context, lead, **names)
    predict.ask(context, ("pos", "dim", "row", "k"))
    with st.container(key=PICTURE):
        piece(context, PICTURE, picture)
    left, right = st.columns([1, 1.08], gap="large")
    with left, st.container(key="pairs_box", gap="small"):
        parts.write(parts.heading(context.t, "pairs"))
        piece(context, pairs.PIECE, pairs.draw)
    with right:
        parts.notice(context, words.notices(context), words.attempt(context))
        parts.door(context.page, "meaning", context.t("door_meaning"))
    foot(context, opened)


def picture(context: StageContext) -> None:
    components.controls(key="controls", data=controls(context).data())
    left, right = st.columns([1.32, 1], gap="medium")
    with left, st.container(key="copying", gap=None):
        components.matrix(key="table", data=table(context).pack())
        components.matrix(key="output", data=output(context).pack())
    with right:
        follow(context, followed)
