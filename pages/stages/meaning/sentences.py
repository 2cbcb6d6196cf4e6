"""Whole sentences compared: the visitor's among others, each against each."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.figures.senses import Senses, SensesWords
from core.views.meaning import Space
from core.views.senses import LONGEST, Sentences, depths, sentences_view
from pages.shared import cached, components, parts
from pages.shared.address import Parameter
from pages.shared.page import Page
from pages.shared.texts import Texts
from pages.shared.visit import hand
from pages.stages.meaning import own
from pages.stages.meaning.context import LONGEST_TEXT, too_many
from pages.stages.meaning.look import Look


def parameters(page: Page, view: Space) -> dict[str, Parameter]:
    return {"sentences": own.parameter()}


def draw(look: Look) -> None:
    t, page = look.t, look.page
    ready = look.sample["sentences"]["compare"]
    parts.write(parts.heading(t, "sentences"), parts.paragraphs([said_first(look, tuple(ready[:2]))]))
    text = own.text(look, "sentences", "\n".join(ready))
    held = hand("sentences_in", text, partial(own.take, page.stage, "sentences"))
    st.text_area(t("sentences_label"), height=120, max_chars=LONGEST_TEXT, **held)
    every = sentences_of(page.text, text)
    texts = tuple(every[:LONGEST])
    if len(texts) < 2:
        st.html(f"<p class='note'>{t.html('context_errors.sentences_few')}</p>")
        return
    picture(look, view_of(look, texts))
    too_many(t, len(every))


def sentences_of(own: str, typed: str) -> list[str]:
    """The visitor's sentence and those below it, each once."""
    lines = [line.strip() for line in (own, *typed.splitlines())]
    return list(dict.fromkeys(line for line in lines if line))


def view_of(look: Look, texts: tuple[str, ...]) -> Sentences:
    model, last = look.model, depths(look.page.model)[-1]
    return cached.remember(
        ("sentences", model, texts),
        lambda: sentences_view(look.page.model, texts, lambda text: cached.capture(model, text, (last,))),
    )


def picture(look: Look, view: Sentences) -> None:
    """Each against each: of one depth, and of one sense."""
    t, n = look.t, len(view.texts)
    nothing, names = np.full(1, np.nan), ("label", "within", "across", "nearest", "cosines", "axis")
    drawn = Senses(
        param="",
        word="",
        sentences=view.texts,
        senses=[0] * n,
        names=[""],
        compared=[True],
        said=[[extremes(t, view.texts, view.cosines)]],
        cosines=view.cosines,
        within=nothing,
        across=nothing,
        words=SensesWords(**{name: t(f"senses.{name}") for name in names}),
    )
    components.senses(key="sentences", data=drawn.pack())


def said_first(look: Look, pair: tuple[str, str]) -> str:
    """What the vector of a sentence is, and how little the order of its words counts."""
    cosine = float(view_of(look, pair).cosines[0, 1])
    return look.t.html(look.page.own("sentences_said"), a=pair[0], b=pair[1], cosine=cosine)


def extremes(t: Texts, texts: Sequence[str], cosines: np.ndarray) -> str:
    """The nearest pair and the farthest."""
    pairs = [(i, j) for i in range(len(texts)) for j in range(i)]
    near, far = max(pairs, key=lambda p: cosines[p]), min(pairs, key=lambda p: cosines[p])
    facts = {"near_a": near[1] + 1, "near_b": near[0] + 1, "near": float(cosines[near])}
    return t("sentences_found", **facts, far_a=far[1] + 1, far_b=far[0] + 1, far=float(cosines[far]))
