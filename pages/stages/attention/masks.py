"""Masks to try on this head's scores: none, padding, causal. The scores stay; what is let through changes."""

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.matrix import Axis, Matrix
from core.figures.picture import veiled
from core.model.decoder import causal_mask
from core.model.encoder import padding_mask
from core.text.token import named
from core.views.masks import MASKS, Masked, masked
from pages.shared.address.address import choice, index
from pages.shared.address.visit import bind
from pages.shared.number.number_links import measured
from pages.shared.page.open_it import source
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.words.numbers import grouped
from pages.stages.attention.look import Look, in_sight

SIDE = 260
CODE = {"padding": padding_mask, "causal": causal_mask}


def parameters(page, view):
    return {
        "mask": choice(*masks_of(view), default="padding" if view.kind == "cross" else "causal"),
        "pads": index(len(view.keys), min(2, len(view.keys) - 1)),
    }


def masks_of(view) -> tuple[str, ...]:
    """A causal mask compares places of one sentence: across two there is none."""
    return tuple(mask for mask in MASKS if mask != "causal" or view.kind != "cross")


def draw(look: Look) -> None:
    t, mask, made = look.t, look.values["mask"], made_of(look)
    write(heading(t, "masks"), paragraphs([t.html("masks.said")]))
    with st.container(key="masks_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        options = {"format_func": lambda id: t(f"masks.names.{id}"), "required": True}
        st.segmented_control(t("masks.mask"), masks_of(look.view), **options, **bind(look, "mask"))
        if mask == "padding":
            st.number_input(t("masks.pads"), 0, len(look.view.keys) - 1, width=220, **bind(look, "pads"))
    left, right = st.columns([1, 1], gap="large")
    for place, name in ((left, "let"), (right, "weights")):
        with place:
            components.matrix(key=f"masks_{name}", data=picture(look, made, name).pack())
    write(paragraphs([*cut(look), *words(look, made)]))
    if mask in CODE:
        st.code(source(CODE[mask]), language="python", wrap_lines=True)


def made_of(look: Look) -> Masked:
    return masked(look.view, look.head - 1, look.values["mask"], look.values["pads"])


def picture(look: Look, made: Masked, name: str) -> Matrix:
    """What the mask lets through, 1 or 0; and the weights under it."""
    view = look.view
    values = made.let.astype(np.float32) if name == "let" else veiled(made.weights, look.veil)
    rows, columns = (in_sight(count, look.values["q"]) for count in values.shape)
    return Matrix(
        id=f"masks_{name}",
        fragment="section",
        planes={"": values[rows, columns]},
        rows=Axis.part("q", view.tokens, rows),
        columns=Axis.part("k", view.key_tokens, columns),
        reach=1,
        side=SIDE,
        tall=SIDE,
        legend=name == "weights",
        words=matrix_words(look.t, f"masks.label_{name}", caption=look.t(f"masks.caption_{name}")),
    )


def cut(look: Look) -> list[str]:
    """Which part of a long text is shown."""
    n, shown = len(look.view.queries), in_sight(len(look.view.queries), look.values["q"])
    return [look.t.html("window", first=shown.start, last=shown.stop - 1, n=n)] if shown.stop - shown.start < n else []


def words(look: Look, made: Masked) -> list[str]:
    t, view, q, mask = look.t, look.view, look.values["q"], look.values["mask"]
    through, of = int(made.let.sum()), made.let.size
    names = {"token": named(view.tokens, q), "through": grouped(through), "of": grouped(of)}
    said = [t.html(f"masks.lets.{mask}", pads=look.values["pads"], **names)]
    if q in look.veil:
        return [*said, t.html("veiled_step")]
    row, before, let = made.weights[q], view.weights[look.head - 1, q], made.let[q]
    best, own = int(row.argmax()), int(before.argmax())
    last = int(np.flatnonzero(let)[-1])
    scores, weights = (Cell(view.taps[name], (look.head - 1, q, None)) for name in ("scores", "weights"))
    weight = measured(look, float(row[best]), "masked", scores.at(best), scores.at(last))
    facts = {"best": named(view.key_tokens, best), "weight": weight, "count": int(let.sum())}
    said.append(t.html("masks.row", **names, **facts))
    if made.is_own:
        return [*said, t.html("masks.own", difference=made.difference)]
    lost = float(before[~let].sum())
    lost = measured(look, lost, "hidden", weights.at(last)) if lost else lost
    was = {"own": named(view.key_tokens, own), "own_weight": look.at("weights", q, own), "lost": lost}
    return [*said, t.html("masks.moved" if best != own else "masks.stayed", **names, **facts, **was)]
