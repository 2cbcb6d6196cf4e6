"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.address.visit import on_press
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.exercises import exercises
from pages.shared.page.open_it import open_it
from pages.shared.page.parts import Place
from pages.shared.page.stage import PICTURE, piece
from pages.shared.pictures import components
from pages.stages.translation import words
from pages.stages.translation.context import StageContext
from pages.stages.translation.followed import followed
from pages.stages.translation.opened import opened
from pages.stages.translation.picture import MATRICES, controls, cross, decoding, own


def draw(context: StageContext) -> None:
    lead = parts.title(context)
    predict.ask(context, ("layer", "head", "q", "k", "j"))
    above, below = st.container(), st.container()
    said = parts.notice(context, (), words.attempt(context))
    with above:
        piece(context, PICTURE, partial(picture, lead, said))
    with below:
        piece(context, MATRICES, matrices)
    parts.sections(context)
    open_it(context, opened)
    exercises(context)
    parts.recap(context)
    parts.next_stop(context.page)


def picture(lead: Place, said: Place, context: StageContext) -> None:
    with st.container(key="top", horizontal=True, vertical_alignment="center", gap="small"):
        components.controls(key="controls", data=controls(context).data())
    left, right = st.columns([1.45, 1], gap="medium")
    with left:
        components.decoding(key="decoding", data=decoding(context).pack())
        if near := context.offered:
            closest = context.t("near", zh=near.zh, en=near.en)
            with st.container(key="examples"):
                st.button(closest, key="near", type="tertiary", on_click=on_press(context, text=near.zh))
    with right:
        follow(context, followed, also=partial(words.write, lead, said))


def matrices(context: StageContext) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        components.matrix(key="cross", data=cross(context).pack())
    with right:
        components.matrix(key="own", data=own(context).pack())
