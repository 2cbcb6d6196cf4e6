"""The same token in two sentences: equal where it enters, parted by what stands around it."""

from collections.abc import Sequence
from math import floor

import numpy as np
import streamlit as st

from core.derivation import Cell, RunSpec
from core.derivation.origins import within
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.text.token import Token, named
from core.views.encoder import Parting, parting, shared
from pages.shared.address.address import Table, words
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import folded, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.encoder.context import StageContext, states_of

LONGEST = 200
MOST = 16  # tokens in the table and in the picture
TOP, LEAST = 1.0, 0.1  # of the picture: its upper end, and what it spans at least
NEAR = 0.05  # of what it spans: lines that end nearer to one another share a name


def parameters(page: PageContext, view: object) -> Table:
    first, second = page.opening.get("pair", (page.text[:LONGEST], page.text[: LONGEST // 2]))
    return {"one": words(LONGEST, first), "other": words(LONGEST, second)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "parting"), paragraph(t, "parting.said"))
    controls("parting", *(text_box(context, name, t(f"parting.{name}"), LONGEST) for name in ("one", "other")))
    texts = context.values["one"], context.values["other"]
    found = partings(context.page.address.model, *texts)
    if not found:
        st.html(f"<p class='note'>{t.html('parting.none')}</p>")
        return
    tokens = cached.trace(context.page.address.model, texts[0]).tokens
    farthest = min(found, key=lambda one: float(one.cosines[-1]))
    components.curves(key="parting", data=curves(context, found, farthest, tokens).pack())
    numbers = table(rows(context, found, tokens), heads(context), kind="sums")
    write(*said(context, found, farthest, tokens), folded(context.t.html("numbers"), numbers))


@cached.shared
def partings(name: str, first: str, second: str) -> list[Parting]:
    """Every token that stands in both."""
    model, one, other = cached.model(name), states_of(name, first), states_of(name, second)
    return [parting(one, other, model, a, b) for a, b in shared(one.tokens, other.tokens)]


def curves(context: StageContext, found: list[Parting], farthest: Parting, tokens: tuple[Token, ...]) -> Curves:
    t = context.t
    shown = sorted(found, key=lambda one: float(one.cosines[-1]))[:MOST]
    low = min(TOP - LEAST, *(floor(10 * float(one.cosines.min())) / 10 for one in shown))
    return Curves(
        x=Along(len(farthest.cosines), t("residual.depth")),
        y=Upwards(low=low, high=TOP),
        series=[
            Series(name, "second" if one is farthest else "accent")
            for one, name in zip(shown, names(shown, tokens, (TOP - low) * NEAR), strict=True)
        ],
        values=[one.cosines for one in shown],
        words=CurvesWords(t("parting.label"), t.html("parting.caption")),
        height=300,
        ends=True,
    )


def names(shown: Sequence[Parting], tokens: tuple[Token, ...], near: float) -> list[str]:
    """One at the end of each line, from the lowest up; of lines that end together, all at the lowest of them."""
    found: list[list[str]] = []
    first, end = 0, -np.inf
    for i, one in enumerate(shown):
        name, last = name_of(tokens, one), float(one.cosines[-1])
        found.append([])
        if i < 2 or last - end > near:  # the farthest keeps its own
            first, end = i, last
        found[first].append(name if name.isalnum() else f"“{name}”")
    return [" ".join(each) for each in found]


def name_of(tokens: tuple[Token, ...], one: Parting) -> str:
    return named([token.text for token in tokens], one.first)


def said(context: StageContext, found: list[Parting], farthest: Parting, tokens: tuple[Token, ...]) -> list[str]:
    t = context.t
    facts = {
        "token": name_of(tokens, farthest),
        "start": alike(context, farthest, 0),
        "last": alike(context, farthest, -1),
        "others": unlike(context, "unlike", farthest.others, -1),
        "spread": unlike(context, "spread", farthest.spread, -1),
        "layers": context.view.layers,
    }
    if float(farthest.cosines.min()) > 1 - 1e-6:
        return [paragraph(t, "parting.same")]
    same = [one for one in found if one is not farthest]
    first = "parting.farthest" if same else "parting.only"
    second = "parting.unlike_none" if np.isnan(farthest.others[-1]) else "parting.unlike"
    lines = [f"<p>{t.together((t.html(first, **facts), t.html(second, **facts)))}</p>"]
    least = min(same, key=lambda one: float(one.cosines[-1]), default=None)
    if least and least.cosines[-1] > farthest.cosines[-1]:
        lines.append(paragraph(t, "parting.rest_said", least=alike(context, least, -1)))
    if farthest.cosines[0] < 1 - 1e-6:
        lines.append(paragraph(t, "parting.position", **facts))
    return lines


def heads(context: StageContext) -> list[str]:
    t = context.t
    layers = (t("depths.layer", layer=layer) for layer in range(1, context.view.layers + 1))
    return [t("parting.token"), t("depths.start"), *layers]


def rows(context: StageContext, found: list[Parting], tokens: tuple[Token, ...]) -> list[list[object]]:
    shown = sorted(found, key=lambda one: float(one.cosines[-1]))[:MOST]
    every = range(context.view.layers + 1)
    pairs = [[name_of(tokens, one), *(alike(context, one, depth) for depth in every)] for one in shown]
    others = [unlike(context, "unlike", shown[0].others, depth) for depth in every]
    return [*pairs, [context.t("parting.others"), *others]]


def alike(context: StageContext, one: Parting, depth: int) -> float:
    """The cosine of a token in both sentences; it can be followed into each."""
    return measured(context, float(one.cosines[depth]), "cosine", *states(context, depth, one.first, one.second))


def unlike(context: StageContext, kind: str, values: np.ndarray, depth: int) -> float:
    """What is said of the pairs of unlike tokens."""
    return measured(context, float(values[depth]), kind, *states(context, depth, None, None))


def states(context: StageContext, depth: int, *tokens: int | None) -> list[Cell]:
    """A token's state in each of the two sentences, or all of them."""
    tap, texts = context.page.model.depths()[depth], (context.values["one"], context.values["other"])
    return [within(Cell(tap, (token, None)), RunSpec(text)) for token, text in zip(tokens, texts, strict=True)]


SECTION = Section(draw, parameters, redraws=("one", "other"))
