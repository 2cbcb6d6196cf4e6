"""The translator's three masks told apart."""

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.capture import Capture
from pages.shared.page.parts import header, heading, paragraph, write
from pages.shared.page.stage import Section
from pages.shared.server import cached
from pages.shared.words.texts import Texts
from pages.stages.translation.context import ID, StageContext

MASKS = 24  # rows and columns of a mask that are shown
PADDING = 2


def draw(context: StageContext) -> None:
    """The masks of the first layers as the model made them, with padding behind the source."""
    t, run = context.t, padded(context.text)
    write(heading(t, "masks"), paragraph(t, "masks.said"))
    source, target = [token.text for token in run.tokens], [token.text for token in run.target_in]
    grids = [
        ("encoder", "encoder.0.attention.mask", source, source),
        ("self", "decoder.0.self_attention.mask", target, target),
        ("cross", "decoder.0.cross_attention.mask", target, source),
    ]
    for column, (kind, tap, rows, labels) in zip(st.columns([1, 0.85, 1.1], gap="medium"), grids, strict=True):
        name, said = t.html(f"masks.{kind}"), t.html(key_of(kind, run))
        column.html(f"<p><b>{name}</b></p>{grid(t, run[tap], rows, labels)}<p class='soft'>{said}</p>")


SECTION = Section(draw)


def key_of(kind: str, run: Capture) -> str:
    """The words beside a mask: a sentence that fills every position has no room for padding."""
    padded = any(token.text == "[PAD]" for token in run.tokens)
    return f"masks.{kind}_said" if padded or kind == "self" else "masks.full_said"


@cached.shared
def padded(text: str) -> Capture:
    from core import capture

    model, target = cached.model(ID), cached.translation(ID, text).text_out or ""
    length = len(cached.trace(ID, text).tokens) + PADDING
    pad_to = length if length <= model.config.positions else None
    return capture(model, text, target=target, pad_to=pad_to, only=("*.mask",))


def grid(t: Texts, mask: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """A mask as squares: full where looking is allowed, empty where it is not. Of a long one the end, and it is said
    of how many rows and columns."""
    first_row, first_column = max(0, len(rows) - MASKS), max(0, len(columns) - MASKS)
    shown = columns[first_column:]
    words = sum(len(name) > 2 for name in shown) * 2 > len(shown)  # of one script, all are turned alike
    turned = ["turned" if words or len(name) > 1 else "" for name in shown]
    heads = "".join(
        f"<th class='{how}'><span>{html.escape(name)}</span></th>" for how, name in zip(turned, shown, strict=True)
    )
    body = "".join(
        f"<tr><th>{html.escape(rows[i])}</th>"
        + "".join(f"<td class='{'open' if cell == 0 else 'shut'}'></td>" for cell in mask[i, first_column:])
        + "</tr>"
        for i in range(first_row, len(rows))
    )
    sizes = {"rows": len(rows), "columns": len(columns), "shown": MASKS}
    cut = t.html("masks.cut", **sizes) if first_row or first_column else ""
    table = f"<table class='mask'><tr>{header('')}{heads}</tr>{body}</table>"
    return f"<div class='shapes-box'>{table}</div><p class='soft'>{cut}</p>"
