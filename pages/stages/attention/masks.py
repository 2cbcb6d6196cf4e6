"""Masks to try on this head's scores: none, padding, causal. The scores stay; what is let through changes."""

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.controls import Control
from core.figures.matrix import Axis, Matrix
from core.figures.picture import veiled
from core.model.decoder import causal_mask
from core.model.encoder import padding_mask
from core.text.token import all_named, named
from core.views.masks import MASKS, Masked, masked
from pages.shared.address.address import choice, index
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import code, door, heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.words.numbers import grouped
from pages.stages.attention.context import StageContext, in_sight

SIDE = 300
CODE = {"padding": padding_mask, "causal": causal_mask}


def parameters(page, view):
    return {
        "mask": choice(*masks_of(view), default="padding" if view.kind == "cross" else "causal"),
        "pads": index(len(view.keys), min(2, len(view.keys) - 1)),
    }


def masks_of(view) -> tuple[str, ...]:
    """A causal mask compares places of one sentence: across two there is none."""
    return tuple(mask for mask in MASKS if mask != "causal" or view.kind != "cross")


def draw(context: StageContext) -> None:
    t, mask, made = context.t, context.values["mask"], made_of(context)
    write(heading(t, "masks"), paragraphs([t.html("masks.said")]))
    masks = Control("mask", t("masks.mask"), [(id, t(f"masks.names.{id}")) for id in masks_of(context.view)])
    pads = typed(t, "pads", t("masks.pads"), 0, len(context.view.keys) - 1)
    controls("masks", masks, *([pads] if mask == "padding" else []))
    left, right = st.columns([1, 1], gap="large")
    for place, name in ((left, "let"), (right, "weights")):
        with place:
            components.matrix(key=f"masks_{name}", data=picture(context, made, name).pack())
    write(paragraphs([*cut(context), *words(context, made)]))
    if mask == "causal":
        door(context.page, "generation", t("masks.door"), "cache")
    if mask in CODE:
        code(CODE[mask])


def made_of(context: StageContext) -> Masked:
    return masked(context.view, context.head - 1, context.values["mask"], context.values["pads"])


def picture(context: StageContext, made: Masked, name: str) -> Matrix:
    """What the mask lets through, 1 or 0; and the weights under it."""
    view = context.view
    values = made.let.astype(np.float32) if name == "let" else veiled(made.weights, context.veil)
    rows, columns = (in_sight(count, context.values["q"]) for count in values.shape)
    return Matrix(
        id=f"masks_{name}",
        fragment="section",
        planes={"": values[rows, columns]},
        rows=Axis.part("q", all_named(view.tokens), rows),
        columns=Axis.part("k", all_named(view.key_tokens), columns),
        reach=1,
        side=SIDE,
        tall=SIDE,
        legend=name == "weights",
        words=matrix_words(context.t, f"masks.label_{name}", caption=context.t(f"masks.caption_{name}")),
    )


def cut(context: StageContext) -> list[str]:
    """Which part of a long text is shown."""
    n, shown = len(context.view.queries), in_sight(len(context.view.queries), context.values["q"])
    return (
        [context.t.html("window", first=shown.start, last=shown.stop - 1, n=n)] if shown.stop - shown.start < n else []
    )


def words(context: StageContext, made: Masked) -> list[str]:
    t, view, q, mask = context.t, context.view, context.values["q"], context.values["mask"]
    through, of = int(made.let.sum()), made.let.size
    names = {"token": named(view.tokens, q), "through": grouped(through), "of": grouped(of)}
    queries = "" if context.kind == "cross" else t("masks.lets.rows")
    lets = "none" if mask == "padding" and not context.values["pads"] else mask
    said = [t.html(f"masks.lets.{lets}", pads=context.values["pads"], queries=queries, **names)]
    if q in context.veil:
        return [*said, t.html("veiled_step")]
    row, before, let = made.weights[q], view.weights[context.head - 1, q], made.let[q]
    best, own = int(row.argmax()), int(before.argmax())
    last = int(np.flatnonzero(let)[-1])
    scores, weights = (Cell(view.taps[name], (context.head - 1, q, None)) for name in ("scores", "weights"))
    weight = measured(context, float(row[best]), "masked", scores.at(best), scores.at(last))
    facts = {"best": named(view.key_tokens, best), "weight": weight, "count": int(let.sum())}
    said.append(t.html("masks.row", **names, **facts))
    if made.is_own:
        return [*said, t.html("masks.own", difference=made.difference)]
    lost = float(before[~let].sum())
    lost = measured(context, lost, "hidden", weights.at(last)) if lost else lost
    was = {"own": named(view.key_tokens, own), "own_weight": context.at("weights", q, own), "lost": lost}
    opened = int((let & ~np.isfinite(view.mask[q])).sum())
    key = "opened" if opened else "moved" if best != own else "stayed"
    return [*said, t.html(f"masks.{key}", **names, **facts, **was, opened=opened)]
