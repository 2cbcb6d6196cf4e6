"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared import components, follow, parts, predict
from pages.shared.exercises import exercises
from pages.shared.open_it import open_it
from pages.shared.parts import Place
from pages.shared.pictures import packed
from pages.shared.stage import PICTURE, piece
from pages.stages.vocabulary import words
from pages.stages.vocabulary.followed import followed
from pages.stages.vocabulary.look import Look
from pages.stages.vocabulary.opened import opened
from pages.stages.vocabulary.picture import controls, merges


def draw(look: Look) -> None:
    key, facts = words.lead(look)
    parts.title(look, key, **facts)
    predict.ask(look, ("step", "pair"))
    middle = st.container()
    said = parts.notice(look, (), words.to_try(look))
    with middle:
        piece(look, PICTURE, partial(picture, said))
    if not look.veiled:
        parts.sections(look)
    open_it(look, opened, closed=look.veiled)
    exercises(look)
    parts.next_stop(look.page)


def picture(said: Place, look: Look) -> None:
    said.html(parts.paragraphs(words.notices(look)))
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        components.merges(key="merges", data=packed(look, merges))
    with right:
        follow.follow(look, followed)
