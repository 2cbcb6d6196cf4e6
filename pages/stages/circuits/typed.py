"""The words that are asked about: among the likeliest, or typed."""

from functools import partial
from zlib import crc32

import streamlit as st

from core.views.circuits import next_word
from pages.shared.address.address import Repair
from pages.shared.address.visit import apply, controlled, refuse
from pages.shared.page.stage import Stage
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.circuits.context import LONGEST, StageContext
from pages.stages.circuits.picture import controls

NAMES = ("word", "against")


def draw(context: StageContext) -> None:
    t, stage, model = context.t, context.page.stage, context.page.address.model
    with st.container(key="asked_words", horizontal=True, vertical_alignment="center", gap="small"):
        components.controls(key="controls", data=controls(context).data())
        with st.popover(t("typed.open"), width="content", type="tertiary"):
            for name in NAMES:
                value = context.values[name] or ""
                key = f"{name}_{crc32(value.encode())}"  # a box in a closed popover would keep its old text
                typed = controlled(key, value, partial(take, stage, model, name))
                st.text_input(t(f"typed.{name}"), max_chars=LONGEST, **typed)


def take(stage: Stage, model: str, name: str, text: str) -> None:
    """A word that the vocabulary cannot spell is refused; nothing typed is the usual."""
    text = text.strip()
    if text and next_word(cached.model(model), text) is None:
        refuse(Repair("unknown_word", {"word": text[:LONGEST]}))
        return apply(stage, {name: None})
    apply(stage, {name: text or None, "layer": None, "part": None, "trail": None})
