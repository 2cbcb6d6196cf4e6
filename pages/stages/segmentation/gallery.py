"""Sentences where each method wins and loses against a cut that makes sense: a bar of pieces each, on one ruler."""

import html
from itertools import accumulate, pairwise

import streamlit as st

from core.text.unicode import is_cjk
from core.views.segmentation import METHODS, Piece, scores, stated
from pages.shared.address.visit import on_press
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.predict import plain
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts
from pages.stages.segmentation.bars import bar
from pages.stages.segmentation.context import StageContext, fresh, view_of
from pages.stages.segmentation.methods import share
from pages.stages.segmentation.reading import gloss

GALLERY = samples.read("segmentation")
ROOM = 18  # characters, where two lines stand side by side


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "gallery"), paragraph(t, "gallery.said"))
    with st.container(key="gallery", gap=None):
        for name, text in own_first(t.language).items():
            press = on_press(context, **fresh(context.page.address["guess"], text))
            with st.container(key=f"{'long_' if len(text) > ROOM else ''}line_{name}", gap=None):
                st.button(plain(text), key=f"gallery_{name}", type="tertiary", on_click=press)
                st.html(said_of(t, name))


def own_first(language: str) -> dict[str, str]:
    """Each line's text, those in the visitor's own language before the others."""
    texts = {name: stated(entry["cut"])[0] for name, entry in GALLERY.items()}
    return dict(sorted(texts.items(), key=lambda line: any(map(is_cjk, line[1])) != (language == "zh")))


@cached.shared
def said_of(t: Texts, name: str) -> str:
    """Under a line of the gallery: its words in English, every method's pieces and F1, and why: the same for all."""
    words = GALLERY[name]["cut"].split("/")
    text, cut = stated(GALLERY[name]["cut"])
    view = view_of(text)
    found, ends = scores(view, cut), [0, *accumulate(map(len, words))]
    sensible = [Piece(word, *at) for word, at in zip(words, pairwise(ends), strict=True)]
    rows = [bar(t.html("gallery.sensible"), text, sensible, sensible, "F1")]
    rows += [
        bar(t.html(f"methods.{method}"), text, view.methods[method], sensible, share(found[method]))
        for method in METHODS
        if method != "characters" or any(map(is_cjk, text))  # which leaves letters together
    ]
    given = gloss(t, words)
    english = f"<p class='soft'>{html.escape(given)}</p>" if given else ""
    return f"{english}<div class='cuts' tabindex='0'>{''.join(rows)}</div><p>{t.html(f'gallery.{name}')}</p>"
