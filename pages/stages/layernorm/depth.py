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
from pages.stages.layernorm.look import Look, name_of, short_name


def draw(look: Look) -> None:
    depth = depth_of(*look.key)
    write(heading(look.t, "depth", norms=len(look.places)), paragraphs(said(look, depth)))
    left, right = st.columns([1, 1.25], gap="large")
    with left:
        chart(figure(look.only(), scheme(look.page)).figure, "depth_chart")
    with right:
        components.matrix(key="gammas", data=gammas(look, depth).pack())


@cached.shared
def depth_of(name: str, text: str) -> DepthView:
    model = cached.model(name)
    return views.depth_view(cached.capture(name, text, only=views.depth_taps(model)), model)


def said(look: Look, depth: DepthView) -> list[str]:
    t, places = look.t, look.places
    dim, count = depth.outlier()
    widest = places[int(depth.spreads.argmax())]
    ends = {**ends_of(look, "", depth.spreads), **ends_of(look, "after_", depth.after)}
    facts = {**ends, "norm": name_of(t, places, widest)}
    first = "depth.entrance" if places[0].part == "embedding" else "depth.no_entrance"
    again = "depth.outlier" if 3 * count >= len(places) else "depth.scattered"
    spreads = f"{t.html('depth.said', **facts)} {t.html(first)}"
    return [spreads, t.html(again, dim=dim, count=count, norms=len(places))]


def ends_of(look: Look, name: str, spreads: np.ndarray) -> dict[str, object]:
    """The smallest and the largest mean deviation of all norms, before them or after; each can be followed."""
    kind, word, open = (
        ("widths", "output", (None, None)) if name else ("deviations", views.SPREAD[look.view.kind], (None,))
    )
    found = {f"{name}low": int(spreads.argmin()), f"{name}high": int(spreads.argmax())}
    taps = {end: look.places[i].tap(word) for end, i in found.items()}
    return {end: measured(look, float(spreads[i]), kind, Cell(taps[end], open)) for end, i in found.items()}


@cached.shared
def figure(look: Look, scheme: Scheme) -> Kept:
    words = {name: look.t(f"depth.{name}") for name in ("before", "after", "mean", "axis")}
    labels = [name_of(look.t, look.places, place) for place in look.places]
    return Kept(depth_figure(depth_of(*look.key), labels, words, scheme))


def gammas(look: Look, depth: DepthView) -> Matrix:
    """γ of every norm, less the norm's median: the outliers stand out, and stand under each other."""
    labels = [short_name(look.t, look.places, place) for place in look.places]
    return Matrix(
        id="gammas",
        fragment="section",
        planes={"": depth.apart},
        rows=Axis("norm", len(labels), labels, from_=1, room=12),
        columns=dimensions(look.t, look.view.d_model),
        reach=float(np.quantile(np.abs(depth.apart), 0.995)),
        tall=22 * len(labels),
        also={"part": "gamma", "method": "layer"},
        words=matrix_words(look.t, "gammas_label", caption=look.t("gammas_caption")),
    )
