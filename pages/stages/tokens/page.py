"""The page, top to bottom."""

import streamlit as st

from pages.shared.address.visit import on_press
from pages.shared.number.follow import fill_followed
from pages.shared.page import parts, predict
from pages.shared.page.exercises import exercises
from pages.shared.page.open_it import open_it
from pages.shared.page.stage import FOLLOWED, piece
from pages.shared.pictures import components
from pages.stages.tokens import words
from pages.stages.tokens.look import Look
from pages.stages.tokens.opened import opened
from pages.stages.tokens.picture import controls, ruler
from pages.stages.tokens.table import table
from pages.stages.tokens.walk import walk


def draw(look: Look) -> None:
    lead, names = words.lead(look)
    parts.title(look, lead, **names)
    predict.ask(look, ("word", "step"))
    top(look)
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        components.ruler(key="ruler", data=ruler(look).data())
    with right:
        piece(look, FOLLOWED, walked)
    parts.notice(look, words.notices(look), words.attempt(look))
    parts.door(look.page, "vocabulary", look.t("door_vocabulary"))
    parts.write(parts.heading(look.t, "table"), table(look))
    if not look.veiled:
        parts.sections(look)
    open_it(look, opened)
    exercises(look)
    parts.next_stop(look.page)


def top(look: Look) -> None:
    """The controls, and what else to try."""
    with st.container(key="top", horizontal=True, vertical_alignment="center", gap="small"):
        components.controls(key="controls", data=controls(look).data())
        st.html(f"<span class='soft'>{look.t.html('examples')}</span>", width="content")
        for i, example in enumerate(look.examples):
            label = predict.plain(example)
            st.button(label, key=f"example_{i}", type="tertiary", on_click=on_press(look, text=example))


def walked(look: Look) -> None:
    """All that another word changes."""
    fill_followed(look, components.walk, walk(look).data())
