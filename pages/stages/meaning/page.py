"""The page, top to bottom."""

from functools import partial

import streamlit as st

from core.zoo import SOURCES
from pages.shared.address.visit import take_model
from pages.shared.body import foot
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.stages.meaning import in_context, words
from pages.stages.meaning.context import StageContext
from pages.stages.meaning.opened import opened
from pages.stages.meaning.picture import picture


def draw(context: StageContext) -> None:
    key, names = words.lead_of(context)
    parts.title(context, key, **names)
    predict.ask(context, ("of", "to"))
    piece(context, PICTURE, picture)
    parts.notice(context, words.notices(context), words.attempt(context))
    parts.write(parts.heading(context.t, "context"))
    piece(context, "context", in_context.draw)
    other_model(context)
    foot(context, opened)


def other_model(context: StageContext) -> None:
    """The tables of the other models."""
    with st.container(key="other_box", horizontal=True, gap="medium"):
        for id in SOURCES:
            if id != context.model:
                press = partial(take_model, context.page.address.ends(), id)
                said = context.t("other_model", model=context.t.model(id))
                st.button(said, key=f"other_model_{id}", type="tertiary", on_click=press)
