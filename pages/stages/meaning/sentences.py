"""Whole sentences compared: the visitor's among others, each against each."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.figures.senses import Senses
from core.views.meaning import Space
from core.views.senses import LONGEST, Sentences, sentences_view
from pages.shared.address.address import Parameter
from pages.shared.address.visit import controlled
from pages.shared.number.cell_path import row_crumb
from pages.shared.number.number_links import measured
from pages.shared.page import parts
from pages.shared.page.context import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.meaning import typed_words
from pages.stages.meaning.context import LONGEST_TEXT, too_many, words
from pages.stages.meaning.look import Look


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    return {"sentences": typed_words.parameter()}


def draw(look: Look) -> None:
    t, page = look.t, look.page
    ready = look.sample.get("sentences", {}).get("compare", [])
    first = [said_first(look, (ready[0], ready[1]))] if ready else []
    parts.write(parts.heading(t, "sentences"), parts.paragraphs(first))
    text = typed_words.text(look, "sentences", "\n".join(ready))
    held = controlled("sentences_in", text, partial(typed_words.take, page.stage, "sentences"))
    st.text_area(t("sentences_label"), height=120, max_chars=LONGEST_TEXT, **held)
    every = sentences_of(page.text, text)
    texts = tuple(every[:LONGEST])
    if len(texts) < 2:
        st.html(f"<p class='note'>{t.html('context_errors.sentences_few')}</p>")
        return
    picture(look, view_of(look.model, texts))
    too_many(t, len(every))


def sentences_of(own: str, typed: str) -> list[str]:
    """The visitor's sentence and those below it, each once."""
    lines = [line.strip() for line in (own, *typed.splitlines())]
    return list(dict.fromkeys(line for line in lines if line))


@cached.shared
def view_of(name: str, texts: tuple[str, ...]) -> Sentences:
    model = cached.model(name)
    last = model.depths()[-1]
    return sentences_view(model, texts, lambda text: cached.capture(name, text, (last,)))


def picture(look: Look, view: Sentences) -> None:
    """Each against each: of one depth, and of one sense."""
    n = len(view.texts)
    nothing = np.full(1, np.nan)
    rows = [] if look.veiled else [[row_crumb(look.page.model, last(look), RunSpec(text), 2) for text in view.texts]]
    drawn = Senses(
        param="",
        word="",
        sentences=view.texts,
        senses=[0] * n,
        names=[""],
        compared=[True],
        said=[[extremes(look, view.texts, view.cosines)]],
        cosines=view.cosines,
        within=nothing,
        across=nothing,
        words=words(look.t, bool(rows)),
        kind="middles",
        rows=rows,
    )
    components.senses(key="sentences", data=drawn.pack())


def said_first(look: Look, pair: tuple[str, str]) -> str:
    """What the vector of a sentence is, and how little the order of its words counts."""
    cosine = alike(look, *pair, float(view_of(look.model, pair).cosines[0, 1]))
    return look.t.html("sentences_said", a=pair[0], b=pair[1], cosine=cosine)


def last(look: Look) -> Cell:
    """Where a sentence's vectors end."""
    return Cell(look.page.model.depths()[-1], (None, None))


def alike(look: Look, one: str, other: str, cosine: float) -> float:
    """How alike two sentences are; it can be followed."""
    return measured(look, cosine, "middles", *(within(last(look), RunSpec(text)) for text in (one, other)))


def extremes(look: Look, texts: Sequence[str], cosines: np.ndarray) -> str:
    """The nearest pair and the farthest."""
    pairs = [(i, j) for i in range(len(texts)) for j in range(i)]
    far, near = min(pairs, key=lambda p: cosines[p]), max(pairs, key=lambda p: cosines[p])
    facts: dict[str, object] = {}
    for name, (b, a) in (("near", near), ("far", far)):
        facts |= {f"{name}_a": a + 1, f"{name}_b": b + 1}
        facts[name] = alike(look, texts[a], texts[b], float(cosines[b, a]))
    return look.t.html("sentences_found", **facts)
