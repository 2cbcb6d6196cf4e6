"""Whole sentences compared: the visitor's among others, each against each."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.figures.senses import Senses
from core.views.meaning import Space
from core.views.senses import LONGEST, Sentences, sentences_view
from pages.shared.address.address import Parameter
from pages.shared.number.cell_path import row_path
from pages.shared.number.number_links import measured
from pages.shared.page import parts
from pages.shared.page.controls import handed, text_box
from pages.shared.page.stage import PageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.meaning import typed_words
from pages.stages.meaning.in_context import LONGEST_TEXT, StageContext, too_many, words


def parameters(page: PageContext, view: Space) -> dict[str, Parameter]:
    return {"sentences": typed_words.parameter()}


def draw(context: StageContext) -> None:
    t, page = context.t, context.page
    ready = context.sample.get("sentences", {}).get("compare", [])
    first = [said_first(context, (ready[0], ready[1]))] if ready else []
    parts.write(parts.heading(t, "sentences"), parts.paragraphs(first))
    text = typed_words.text(context, "sentences", "\n".join(ready))
    every = sentences_of(page.text, text)
    texts = tuple(every[:LONGEST])
    refusal = t("context_errors.sentences_few") if len(texts) < 2 else ""
    if not refusal:
        picture(context, view_of(context.model, texts))
        too_many(t, len(every))
    label = t("sentences_label")
    box = text_box(context, "sentences", label, LONGEST_TEXT, handed=text, lines=5, refusal=refusal)
    handed("sentences", box, partial(typed_words.take, page.stage, "sentences"))


def sentences_of(own: str, typed: str) -> list[str]:
    """The visitor's sentence and those below it, each once."""
    lines = [line.strip() for line in (own, *typed.splitlines())]
    return list(dict.fromkeys(line for line in lines if line))


@cached.shared
def view_of(name: str, texts: tuple[str, ...]) -> Sentences:
    model = cached.model(name)
    last = model.depths()[-1]
    return sentences_view(model, texts, lambda text: cached.capture(name, text, (last,)))


def picture(context: StageContext, view: Sentences) -> None:
    """Each against each: of one depth, and of one sense."""
    n = len(view.texts)
    nothing = np.full(1, np.nan)
    rows = (
        []
        if context.veiled
        else [[row_path(context.page.model, last(context), RunSpec(text), 2) for text in view.texts]]
    )
    drawn = Senses(
        param="",
        word="",
        sentences=view.texts,
        senses=[0] * n,
        names=[""],
        compared=[True],
        said=[[extremes(context, view.texts, view.cosines)]],
        cosines=view.cosines,
        within=nothing,
        across=nothing,
        words=words(context.t, bool(rows)),
        kind="middles",
        rows=rows,
    )
    components.senses(key="sentences", data=drawn.pack())


def said_first(context: StageContext, pair: tuple[str, str]) -> str:
    """What the vector of a sentence is, and how little the order of its words counts."""
    cosine = alike(context, *pair, float(view_of(context.model, pair).cosines[0, 1]))
    return context.t.html("sentences_said", a=pair[0], b=pair[1], cosine=cosine)


def last(context: StageContext) -> Cell:
    """Where a sentence's vectors end."""
    return Cell(context.page.model.depths()[-1], (None, None))


def alike(context: StageContext, one: str, other: str, cosine: float) -> float:
    """How alike two sentences are; it can be followed."""
    return measured(context, cosine, "middles", *(within(last(context), RunSpec(text)) for text in (one, other)))


def extremes(context: StageContext, texts: Sequence[str], cosines: np.ndarray) -> str:
    """The nearest pair and the farthest."""
    pairs = [(i, j) for i in range(len(texts)) for j in range(i)]
    far, near = min(pairs, key=lambda p: cosines[p]), max(pairs, key=lambda p: cosines[p])
    facts: dict[str, object] = {}
    for name, (b, a) in (("near", near), ("far", far)):
        facts |= {f"{name}_a": a + 1, f"{name}_b": b + 1}
        facts[name] = alike(context, texts[a], texts[b], float(cosines[b, a]))
    return context.t.html("sentences_found" if len(pairs) > 1 else "sentences_two", **facts)
