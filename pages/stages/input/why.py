"""Why √d: a table as training finds it, for three widths and one of the visitor's own."""

import math

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.run_spec import AT_HAND
from core.views.input import Start, at_start, multiplies
from pages.shared.address.address import whole
from pages.shared.number.number_links import measured
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.server import cached
from pages.stages.input.context import StageContext

WIDTHS = 128, 512, 768  # the translator's, the paper's, BERT's
LEAST, MOST, USUAL = 2, 2048, 512
STARTS = ("token", "position", "share_plain", "share_scaled", "scores_plain", "scores_scaled", "logits", "logits_large")


start_of = cached.shared(at_start)


def parameters(page, view):
    return {"width": whole(LEAST, MOST, USUAL)}


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "why"), paragraph(t, "why_norms", vocab="1,000", seed=0))
    controls("why", typed(t, "width", t("why_width"), LEAST, MOST))
    chosen = context.values["width"]
    starts = {d: start_of(d) for d in (*WIDTHS, chosen)}
    rows = [[t(f"start.{name}"), *(getattr(start, name) for start in starts.values())] for name in STARTS]
    made = starts[chosen]
    pictured(context, made)
    write(
        table(rows, ["", *(f"d = {d}" for d in starts)], kind="sums"),
        paragraph(t, "why_tied", d_model=chosen, logits=made.logits, large=made.logits_large, **made.sure),
        paragraph(t, "why_not", d_model=chosen, plain=made.scores_plain, scaled=made.scores_scaled),
        this_model(context),
    )


def pictured(context: StageContext, made: Start) -> None:
    """How long the vectors of both kinds are, and what of their sum is the position: bars on one scale each."""
    t, root = context.t, math.sqrt(made.d_model)
    lengths = {"token": made.token, "scaled": root * made.token, "position": made.position}
    shares = {"share_plain": made.share_plain, "share_scaled": made.share_scaled}
    most = max(lengths.values()), 1.0
    for column, drawn, scale in zip(st.columns([1, 1.25]), (lengths, shares), most, strict=True):
        rows = [[t(f"start.{name}"), amount(x, scale)] for name, x in drawn.items()]
        with column:
            write(table(rows, ["", f"d = {made.d_model}"], "named"))


def this_model(context: StageContext) -> str:
    own, page = context.view.own, context.page
    key = "why_has" if multiplies(page.model) else "why_has_not"
    norms = {
        "norm": mean_norm(context, "token", own.rows[0]),
        "position": mean_norm(context, "position", own.part("position")),
    }
    return paragraph(context.t, key, model=page.model_name, root=math.sqrt(own.d_model), d_model=own.d_model, **norms)


def mean_norm(context: StageContext, name: str, rows: np.ndarray) -> float:
    """How long the rows of a part are on average in the model as it is; it can be followed."""
    norm = float(np.linalg.norm(rows, axis=-1).mean())
    return measured(context, norm, "lengths", Cell(f"embedding.{name}", (None, None)), given=AT_HAND)
