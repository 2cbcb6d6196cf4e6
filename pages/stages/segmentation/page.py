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
from pages.stages.segmentation.followed import derivation
from pages.stages.segmentation.gallery import gallery
from pages.stages.segmentation.look import Look, fresh
from pages.stages.segmentation.methods import compared, own_words
from pages.stages.segmentation.opened import opened
from pages.stages.segmentation.parts_of_speech import parts_of_speech
from pages.stages.segmentation.picture import controls, lattice

WORKERS = ("打工人打工魂", "打工人,打工魂")  # a text every method fails on, and the words that mend it


def draw(look: Look) -> None:
    lead = parts.title(look)
    piece(look, "asked", ask)
    middle = st.container()
    done = (look.text, look.words) == WORKERS
    said = parts.notice(look, (), None if done else (look.t("try"), fresh(look.page.address["guess"], *WORKERS)))
    with middle:
        piece(look, PICTURE, partial(picture, lead, said))
    piece(look, "numbers", numbers)
    gallery(look)
    foot(look, opened)


def ask(look: Look) -> None:
    """The answer is of jieba's own dictionary: with other words in it, nothing is asked."""
    if look.question and look.rival and look.mine.keys() <= {look.rival.text}:
        facts = {name: f"{look.question.facts[name]:,}" for name in ("frequency", "threshold")}
        predict.ask(look, ("way", "arc"), **facts)


def picture(lead: Place, said: Place, look: Look) -> None:
    words.write(lead, said, look)
    components.controls(key="controls", data=controls(look).data())
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        components.lattice(key="lattice", data=packed(look.only(), lattice))
        parts_of_speech(look)
    with right:
        piece(look, FOLLOWED, derivation)


def numbers(look: Look) -> None:
    parts.write(own_words(look), compared(look))
