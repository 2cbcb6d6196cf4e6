"""Attention through the layers: rollout, beside one layer's weights averaged over its heads, and what it leaves out."""

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.controls import Control
from core.figures.matrix import Axis, Matrix
from core.figures.picture import veiled
from core.model.places import attention_at
from core.text.token import all_named, named
from core.views.rollout import RolloutView, rollout_view, taps
from pages.shared.address.address import choice
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls
from pages.shared.page.one_head import first_kind
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.stages.attention.context import StageContext, in_sight

FLOWS = ("rollout", "mean")
SIDE = 300


def parameters(page, view):
    return {"flow": choice(*FLOWS, default="rollout")}


def draw(context: StageContext) -> None:
    t, made, layer = context.t, rolled(*context.key), layer_of(context)
    said = "rollout_one" if layer == 1 else "rollout"
    write(heading(t, said, layer=layer), paragraphs([t.html(f"{said}.said", layer=layer)]))
    left, right = st.columns([1, 1.2], gap="large")
    with left:
        flows = [(id, t(f"{said}.flows.{id}", layer=layer)) for id in FLOWS]
        controls("rollout", Control("flow", t("rollout.flow"), flows))
        components.matrix(key="rolled", data=picture(context, made, layer).pack())
    with right:
        write(paragraphs(words(context, made, layer)))


@cached.shared
def rolled(name: str, text: str) -> RolloutView:
    return rollout_view(cached.capture(name, text, only=taps(cached.model(name))))


def layer_of(context: StageContext) -> int:
    """The page's layer; a decoder may have more than the encoder, which this is about."""
    return min(context.layer, len(rolled(*context.key).means))


def row_of(context: StageContext, made: RolloutView) -> int:
    """The selected query; in a decoder those are other tokens."""
    return context.values["q"] if context.kind == first_kind(context.page) else min(1, len(made.tokens) - 1)


def veil(context: StageContext) -> tuple[int, ...]:
    """The open question is about the encoder, whichever kind is looked at."""
    return context.asked.rows


def picture(context: StageContext, made: RolloutView, layer: int) -> Matrix:
    values = (made.rolled if context.values["flow"] == "rollout" else made.means)[layer - 1]
    tokens, own = all_named([token.text for token in made.tokens]), context.kind == first_kind(context.page)
    shown = in_sight(len(tokens), row_of(context, made))
    return Matrix(
        id="rolled",
        fragment="section",
        planes={"": veiled(values, veil(context))[shown, shown]},
        rows=Axis.part("q", tokens, shown),
        columns=Axis.part("k", tokens, shown),
        reach=float(np.nanmax(values)),
        side=SIDE,
        tall=SIDE,
        still=not own,
        words=matrix_words(context.t, "rollout.label", caption=context.t(f"rollout.captions.{context.values['flow']}")),
    )


def words(context: StageContext, made: RolloutView, layer: int) -> list[str]:
    t, row = context.t, row_of(context, made)
    shown, n = in_sight(len(made.tokens), row), len(made.tokens)
    said = [t.html("window", first=shown.start, last=shown.stop - 1, n=n)] if shown.stop - shown.start < n else []
    if row not in veil(context):
        said.append(row_said(context, made, layer, row))
    place = attention_at(first_kind(context.page), layer - 1)
    rows = (Cell(place.tap(word), (None, None)) for word in ("skip", "output"))
    share = {"share": measured(context, float(made.carried[layer - 1]), "besides", *rows), "layer": layer}
    caveats = [t.html("rollout.heads"), t.html("rollout.half", **share), t.html("rollout.rest")]
    return [*said, *caveats]


def row_said(context: StageContext, made: RolloutView, layer: int, row: int) -> str:
    """What the selected place is made of by rollout, and whom this layer alone would name."""
    t, tokens = context.t, [token.text for token in made.tokens]
    through, alone = made.rolled[layer - 1, row], made.means[layer - 1, row]
    names = {"token": named(tokens, row), "layer": layer}
    if len(tokens) == 1:
        return t.html("rollout.alone", **names)
    others = np.array([i for i in range(len(tokens)) if i != row])
    far, near = (int(others[values[others].argmax()]) for values in (through, alone))
    weights = Cell(attention_at(first_kind(context.page), layer - 1).tap("weights"), (0, row, None))

    def of(kind: str, value: float, key: int) -> float:
        return measured(context, float(value), kind, weights.at(key))

    if not through[far]:
        return t.html("rollout.unseen", **names)
    facts = {"own": of("rolled", through[row], row), "far": named(tokens, far)}
    facts |= {"far_share": of("rolled", through[far], far), "near_weight": of("shared", alone[near], near)}
    key = "rollout.row_same" if far == near else "rollout.row_other"
    return t.html(key, near=named(tokens, near), **facts, **names)
