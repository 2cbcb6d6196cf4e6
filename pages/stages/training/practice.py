"""Three practices: a file each to take away, with gaps to fill and the tests that say when it is right."""

from functools import cache

import streamlit as st

from core.files import ASSETS
from pages.shared.page.parts import door, heading, paragraph, write
from pages.stages.training.context import StageContext

FOLDER = ASSETS / "practice"
PRACTICES = {"positions": "position", "waves": "position", "layernorm": "layernorm"}  # and the stop they belong to


@cache
def file(name: str) -> str:
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "practice"), paragraph(t, "practice.said"))
    for place, (name, stop) in zip(st.columns(3, gap="large"), PRACTICES.items(), strict=True):
        with place:
            write(f"<h3 class='part'>{t.html(f'practice.{name}.title')}</h3>", paragraph(t, f"practice.{name}.said"))
            label = t("practice.take", file=f"{name}.py")
            st.download_button(label, file(name), f"{name}.py", "text/x-python", key=f"take_{name}", on_click="ignore")
            st.code(f"python {name}.py", language="bash")
            door(context.page, stop, t("practice.door", stop=t.stage(stop)))
