"""The page, top to bottom."""

from functools import partial

import streamlit as st

from pages.shared.body import foot
from pages.shared.page import parts, predict
from pages.shared.page.parts import Place
from pages.shared.page.stage import FOLLOWED, PICTURE, piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed
from pages.stages.segmentation import words
from pages.stages.segmentation.context import StageContext, fresh
from pages.stages.segmentation.followed import derivation
from pages.stages.segmentation.opened import opened
from pages.stages.segmentation.picture import controls, lattice

WORKERS = ("打工人打工魂", "打工人,打工魂")  # a text every method fails on, and the words that mend it


def draw(context: StageContext) -> None:
    lead = parts.title(context)
    piece(context, "asked", ask)
    middle = st.container()
    done = (context.text, context.words) == WORKERS
    said = parts.notice(
        context, (), None if done else (context.t("try"), fresh(context.page.address["guess"], *WORKERS))
    )
    with middle:
        piece(context, PICTURE, partial(picture, lead, said))
    foot(context, opened)


def ask(context: StageContext) -> None:
    """The answer is of jieba's own dictionary: with other words in it, nothing is asked."""
    if context.question and context.rival and context.mine.keys() <= {context.rival.text}:
        predict.ask(context, ("way", "arc"))


def picture(lead: Place, said: Place, context: StageContext) -> None:
    words.write(lead, said, context)
    components.controls(key="controls", data=controls(context).data())
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        components.lattice(key="lattice", data=packed(context.only(), lattice))
    with right:
        piece(context, FOLLOWED, derivation)
