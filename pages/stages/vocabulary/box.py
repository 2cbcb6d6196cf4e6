"""The text's own box: the visitor's sentence is another one, and stays."""

from functools import partial
from zlib import crc32

import streamlit as st

from pages.shared import visit
from pages.shared.address import Repair
from pages.shared.predict import plain
from pages.shared.texts import clip
from pages.stages.vocabulary.look import LONGEST, PRESETS, Look, fresh


def box(look: Look) -> None:
    t, guess = look.t, look.page.address["guess"]
    with st.popover(t("box_open"), width="content", type="tertiary"):
        key = f"sample_{crc32(look.text.encode())}"  # a box in a closed popover would keep its old text
        st.text_area(t("box_label"), height=140, **visit.hand(key, look.text, partial(use, guess)))
        with st.container(key="presets", gap=None):
            for i, text in enumerate(PRESETS):
                press = visit.on_press(look, **fresh(guess, text))
                st.button(plain(clip(text, 40)), key=f"preset_{i}", type="tertiary", on_click=press)


def use(guess: str | None, text: str) -> None:
    if len(text) > LONGEST:
        visit.refuse(Repair("sample_cut", {"limit": LONGEST, "length": len(text)}))
    visit.change_all(**fresh(guess, text[:LONGEST]))
