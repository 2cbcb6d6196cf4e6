"""To take away: the numbers as CSV and .npz, the head view as one file. The pictures save themselves."""

import io
from functools import partial

import numpy as np
import streamlit as st

from pages.shared.page.opened import lines
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import Section
from pages.stages.heads.context import StageContext
from pages.stages.heads.offline import document, numbers
from pages.stages.heads.picture import change_said


def draw(context: StageContext) -> None:
    t = context.t
    if context.veiled:
        return write(heading(t, "away"), paragraph(t, "open.withheld"))
    changes = t("comma").join(change_said(context, id) for id in context.changed)
    write(
        heading(t, "away"), paragraph(t, "away.said"), paragraph(t, "away.changed", changes=changes) if changes else ""
    )
    with st.container(horizontal=True):
        for id, kind, make in (
            ("html", "text/html", partial(document, context)),
            ("csv", "text/csv", partial(rows, context)),
            ("npz", "application/octet-stream", partial(packed, context)),
        ):
            label, file = t(f"away.{id}"), f"{context.file}.{id}"
            st.download_button(label, make, file, kind, key=f"away_{id}", on_click="ignore")
    if context.heads.weights is None:
        write(paragraph(t, "away.long"))


SECTION = Section(draw, redraws=("kind", "edit", "layer", "head", "q", "k", "also", "pin", "way", "sort", "grid"))


def rows(context: StageContext) -> str:
    """A line a weight of the heads that are shown; what was changed stands in every line."""
    made, edits = list[list[object]](), " ".join(context.changed)
    for layer, head in context.shown:
        for (q, k), weight in np.ndenumerate(context.weights(layer, head)):
            tokens = context.heads.tokens[q], context.heads.key_tokens[k]
            made.append([context.kind, layer, head, q, k, *tokens, repr(float(weight)), edits])
    return lines(["kind", "layer", "head", "q", "k", "query", "key", "weight", "edits"], made)


def packed(context: StageContext) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **numbers(context))  # type: ignore[arg-type]
    return file.getvalue()
