"""The text's own box: the visitor's sentence is another one, and stays."""

from functools import partial
from zlib import crc32

import streamlit as st

from core.views.segmentation import stated
from pages.shared import visit
from pages.shared.address import Repair
from pages.shared.predict import plain
from pages.stages.segmentation.gallery import GALLERY
from pages.stages.segmentation.look import LONGEST, Look, fresh

PRESETS = list(GALLERY)[:5]  # all of them stand at the foot of the page


def box(look: Look) -> None:
    t, guess = look.t, look.page.address["guess"]
    with st.popover(t("box_open"), width="content", type="tertiary"):
        key = f"sample_{crc32(look.text.encode())}"  # a box in a closed popover would keep its old text
        # No `max_chars`: a browser would refuse a longer text without a word; here it is cut, and that is said.
        st.text_area(t("box_label"), height=90, **visit.hand(key, look.text, partial(use, guess)))
        with st.container(key="presets", gap=None):
            for name in PRESETS:
                text, _ = stated(GALLERY[name]["cut"])
                press = visit.on_press(look, **fresh(guess, text))
                st.button(plain(text), key=f"preset_{name}", type="tertiary", on_click=press)


def use(guess: str | None, text: str) -> None:
    if len(text) > LONGEST:
        visit.refuse(Repair("sample_cut", {"limit": LONGEST, "length": len(text)}))
    visit.change_all(**fresh(guess, text[:LONGEST]))
