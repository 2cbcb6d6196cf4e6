"""Every norm, from the first to the last: spread before and after, and γ of each under γ of the others."""

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.layernorm import depth_figure
from core.figures.matrix import Axis, Matrix
from core.figures.theme import Scheme
from core.views import layernorm as views
from core.views.layernorm import DepthView
from pages.shared.number.number_links import measured
from pages.shared.page.parts import heading, paragraphs, write
from pages.shared.pictures import components
from pages.shared.pictures.charts import Kept, chart, scheme
from pages.shared.pictures.pictures import dimensions, matrix_words
from pages.shared.server import cached
from pages.stages.layernorm.context import StageContext, name_of, short_name


def draw(context: StageContext) -> None:
    depth = depth_of(*context.key)
    write(heading(context.t, "depth", norms=len(context.places)), paragraphs(said(context, depth)))
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        chart(figure(context.only(), scheme(context.page)).figure, "depth_chart")
    with right:
        components.matrix(key="gammas", data=gammas(context, depth).pack())


@cached.shared
def depth_of(name: str, text: str) -> DepthView:
    model = cached.model(name)
    return views.depth_view(cached.capture(name, text, only=views.depth_taps(model)), model)


def said(context: StageContext, depth: DepthView) -> list[str]:
    t, places = context.t, context.places
    dim, count = depth.outlier()
    widest = places[int(depth.spreads.argmax())]
    ends = {**ends_of(context, "", depth.spreads), **ends_of(context, "after_", depth.after)}
    facts = {**ends, "norm": name_of(context, widest)}
    first = "depth.entrance" if places[0].part == "embedding" else "depth.no_entrance"
    again = "depth.outlier" if 3 * count >= len(places) else "depth.scattered"
    spreads = t.together((t.html("depth.said", **facts), t.html(first)))
    return [spreads, t.html(again, dim=dim, count=count, norms=len(places))]


def ends_of(context: StageContext, name: str, spreads: np.ndarray) -> dict[str, object]:
    """The smallest and the largest mean deviation of all norms, before them or after; each can be followed."""
    kind, word, open = (
        ("widths", "output", (None, None)) if name else ("deviations", views.SPREAD[context.view.kind], (None,))
    )
    found = {f"{name}low": int(spreads.argmin()), f"{name}high": int(spreads.argmax())}
    taps = {end: context.places[i].tap(word) for end, i in found.items()}
    return {end: measured(context, float(spreads[i]), kind, Cell(taps[end], open)) for end, i in found.items()}


@cached.shared
def figure(context: StageContext, scheme: Scheme) -> Kept:
    words = {name: context.t(f"depth.{name}") for name in ("before", "after", "mean", "axis")}
    labels = [name_of(context, place) for place in context.places]
    return Kept(depth_figure(depth_of(*context.key), labels, words, scheme))


def gammas(context: StageContext, depth: DepthView) -> Matrix:
    """γ of every norm, less the norm's median: the outliers stand out, and stand under each other."""
    labels = [short_name(context.t, context.places, place) for place in context.places]
    return Matrix(
        id="gammas",
        fragment="section",
        planes={"": depth.apart},
        rows=Axis("norm", len(labels), labels, from_=1, room=12),
        columns=dimensions(context.t, context.view.d_model),
        reach=float(np.quantile(np.abs(depth.apart), 0.995)),
        tall=22 * len(labels),
        also={"part": "gamma", "method": "layer"},
        words=matrix_words(context.t, "gammas_label", caption=context.t("gammas_caption")),
    )
