"""The page, top to bottom."""

import streamlit as st

from pages.shared.body import foot
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.embedding import pairs, words
from pages.stages.embedding.followed import followed
from pages.stages.embedding.look import Look
from pages.stages.embedding.opened import opened
from pages.stages.embedding.picture import controls, output, table


def draw(look: Look) -> None:
    lead, names = words.lead(look)
    parts.title(look, lead, **names)
    predict.ask(look, ("pos", "dim", "row", "k"))
    with st.container(key=PICTURE):
        piece(look, PICTURE, picture)
    left, right = st.columns([1, 1.08], gap="large")
    with left, st.container(key="pairs_box", gap="small"):
        parts.write(parts.heading(look.t, "pairs"))
        piece(look, pairs.PIECE, pairs.draw)
    with right:
        parts.notice(look, words.notices(look), words.attempt(look))
        parts.door(look.page, "meaning", look.t("door_meaning"))
    foot(look, opened)


def picture(look: Look) -> None:
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.32, 1], gap="medium")
    with left, st.container(key="copying", gap=None):
        components.matrix(key="table", data=table(look).pack())
        components.matrix(key="output", data=output(look).pack())
    with right:
        follow(look, followed)
