"""Sentences where each method wins and loses against the cut that stands there."""

import html

import streamlit as st

from core.text.unicode import is_cjk
from core.views.segmentation import METHODS, scores, stated
from pages.shared.address.visit import on_press
from pages.shared.page.parts import heading, write
from pages.shared.page.predict import plain
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts
from pages.stages.segmentation.context import StageContext, fresh, view_of
from pages.stages.segmentation.methods import share
from pages.stages.segmentation.reading import gloss

GALLERY = samples.read("segmentation")


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "gallery"), f"<p class='soft'>{t.html('gallery.said')}</p>")
    with st.container(key="gallery", gap=None):
        for name, text in own_first(t.language).items():
            entry = GALLERY[name]
            label = plain(entry["cut"].replace(" ", "␣").replace("/", " / "))
            press = on_press(context, **fresh(context.page.address["guess"], text))
            st.button(label, key=f"gallery_{name}", type="tertiary", on_click=press)
            st.html(said_of(t, name))


def own_first(language: str) -> dict[str, str]:
    """Each line's text, those in the visitor's own language before the others."""
    texts = {name: stated(entry["cut"])[0] for name, entry in GALLERY.items()}
    return dict(sorted(texts.items(), key=lambda line: any(map(is_cjk, line[1])) != (language == "zh")))


@cached.shared
def said_of(t: Texts, name: str) -> str:
    """Under a line of the gallery: its words in English, why, and every method's F1; the same for everyone."""
    entry = GALLERY[name]
    text, cut = stated(entry["cut"])
    found = scores(view_of(text), cut)
    numbers = " · ".join(f"{t.html(f'methods.{method}')} {share(found[method])}" for method in METHODS)
    given = gloss(t, entry["cut"].split("/"))
    english = f"<p class='soft'>{html.escape(given)}</p>" if given else ""
    return f"{english}<p>{t.html(f'gallery.{name}')}</p><p class='soft'>{numbers}</p>"
