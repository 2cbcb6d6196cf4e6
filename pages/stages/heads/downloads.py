"""To take away: the numbers as CSV and .npz, the head view as one file. The pictures save themselves."""

import io
from functools import partial

import numpy as np
import streamlit as st

from pages.shared.page.opened import lines
from pages.shared.page.parts import write
from pages.stages.heads.context import StageContext
from pages.stages.heads.offline import document, numbers
from pages.stages.heads.picture import change_said


def draw(context: StageContext) -> None:
    """The heads' own files."""
    t = context.t
    if context.veiled:
        return
    changes = t("comma").join(change_said(context, id) for id in context.changed)
    write(
        f"<h3 class='take'>{t.html('away.title')}</h3><p class='soft'>{t.html('away.said')}</p>",
        f"<p class='soft'>{t.html('away.changed', changes=changes)}</p>" if changes else "",
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
        write(f"<p class='soft'>{t.html('away.long')}</p>")


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
