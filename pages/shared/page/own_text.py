"""The box of a lab with a text of its own: the visitor's sentence is another one, and stays."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from zlib import crc32

import streamlit as st

from pages.shared.address import visit
from pages.shared.address.address import Repair
from pages.shared.page.predict import plain
from pages.shared.page.stage import StageContext
from pages.shared.words import samples
from pages.shared.words.texts import clip

Fresh = Callable[[str | None, str], Mapping[str, object]]  # the guess and another text -> the patch
CLIPPED = 40  # characters of a preset


def box(
    context: StageContext,
    text: str,
    presets: Sequence[str],
    fresh: Fresh,
    longest: int,
    height: int = 90,
    begins: str | None = None,
) -> None:
    """Another text, typed or one of `presets`; beyond `longest` characters it is cut, and that is said. The visitor's
    sentence, as this page `begins` with it, is the first of them."""
    t, guess = context.t, context.page.address["guess"]
    beside = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    if not (samples.is_example(context.page.address.own_text) or text == begins):
        beside.html(f"<span class='soft'>{t.html('own_waits')}</span>", width="content")
    with beside.popover(t("box_open"), width="content", type="tertiary"):
        key = f"sample_{crc32(text.encode())}"  # a box in a closed popover would keep its old text
        # No `max_chars`: a browser would refuse a longer text without a word.
        typed = visit.controlled(key, text, partial(use, fresh, guess, longest))
        st.text_area(t("box_label"), height=height, **typed)
        with st.container(key="presets", gap=None):
            for i, preset in enumerate(dict.fromkeys([begins, *presets] if begins else presets)):
                press = visit.on_press(context, **fresh(guess, preset))
                st.button(plain(clip(preset, CLIPPED)), key=f"preset_{i}", type="tertiary", on_click=press)


def use(fresh: Fresh, guess: str | None, longest: int, text: str) -> None:
    if len(text) > longest:
        visit.refuse(Repair("sample_cut", {"limit": longest, "length": len(text)}))
    visit.change_all(**fresh(guess, text[:longest]))
