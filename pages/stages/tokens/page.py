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
from pages.stages.tokens.context import StageContext
from pages.stages.tokens.opened import opened
from pages.stages.tokens.picture import controls, ruler
from pages.stages.tokens.walk import walk


def draw(context: StageContext) -> None:
    lead, names = words.lead(context)
    parts.title(context, lead, **names)
    asks_beside = context.view.beside is not None  # then the question stands over the walk: what it asks is seen there
    if not asks_beside:
        predict.ask(context, ("word", "step"))
    components.ruler(key="ruler", data=ruler(context).data())
    if beside := context.another_language:
        said = parts.paragraph(context.t, "another_language", beside=beside.text)
        st.html(parts.heading(context.t, "elsewhere") + said)
    if asks_beside:
        predict.ask(context, ("word", "step"))
    components.controls(key="controls", data=controls(context).data())  # in the line of the walk's title (site.css)
    piece(context, FOLLOWED, walked)
    examples(context)
    parts.notice(context, words.notices(context), words.attempt(context))
    parts.door(context.page, "vocabulary", context.t("door_vocabulary"))
    if not context.veiled:
        parts.sections(context)
    open_it(context, opened)
    exercises(context)
    parts.recap(context)
    parts.next_stop(context.page)


def examples(context: StageContext) -> None:
    """What else to try."""
    with st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<span class='soft'>{context.t.html('examples')}</span>", width="content")
        for i, example in enumerate(context.examples):
            label = predict.plain(example)
            st.button(label, key=f"example_{i}", type="tertiary", on_click=on_press(context, text=example))


def walked(context: StageContext) -> None:
    """All that another word changes."""
    fill_followed(context, components.walk, walk(context).data())
