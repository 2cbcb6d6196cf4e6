"""The page, top to bottom."""

from functools import partial

import streamlit as st

from core.zoo import SOURCES
from pages.shared.address.visit import take_model
from pages.shared.body import foot
from pages.shared.page import parts, predict
from pages.shared.page.stage import PICTURE, piece
from pages.stages.meaning import context, words
from pages.stages.meaning.look import Look
from pages.stages.meaning.opened import opened
from pages.stages.meaning.picture import picture


def draw(look: Look) -> None:
    key, names = words.lead_of(look)
    parts.title(look, key, **names)
    predict.ask(look, ("of", "to"), **(words.asked(look) if look.question else {}))
    parts.write(parts.heading(look.t, "context"), parts.paragraph(look.t, "context_said"))
    piece(look, "context", context.draw)
    parts.write(parts.heading(look.t, "space"), parts.paragraph(look.t, "space_said", **names))
    piece(look, PICTURE, picture)
    parts.notice(look, words.notices(look), words.attempt(look))
    other_model(look)
    foot(look, opened)


def other_model(look: Look) -> None:
    """The tables of the other models."""
    with st.container(key="other_box"):
        for id in SOURCES:
            if id != look.model:
                press = partial(take_model, look.page.address.ends(), id)
                said = look.t("other_model", model=look.t.model(id))
                st.button(said, key=f"other_model_{id}", type="tertiary", on_click=press)
