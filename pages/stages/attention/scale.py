"""Why ÷ √d_k: the variance of q·k and how decided softmax becomes, drawn at random and in this head."""

import numpy as np
import streamlit as st

from core.figures.curves import Along, Curves, CurvesWords, Level, Series, Upwards
from core.views.scaling import KEYS, MOST, QUERIES, SEED, Trained, drawn, trained
from pages.shared import cached, components
from pages.shared.address import whole
from pages.shared.numbers import grouped
from pages.shared.parts import heading, paragraphs, table, write
from pages.shared.visit import bind
from pages.stages.attention.look import Look

HEIGHT = 190


def parameters(page, view):
    return {"dk": whole(1, MOST, view.d_head)}


def draw(look: Look) -> None:
    t, width, own = look.t, look.values["dk"], trained_of(look)
    facts = {"queries": QUERIES, "keys": KEYS, "pairs": grouped(QUERIES * KEYS), "seed": SEED}
    write(heading(t, "scale"), paragraphs([t.html("scale.said", **facts)]))
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.slider(t("scale.width"), 1, MOST, **bind(look, "dk"))
        components.curves(key="variances", data=curves(look, own).pack())
    with right:
        write(
            table(
                rows(look, width, own), ["", f"N(0, 1), d_k = {width}", t("scale.head", head=look.head)], kind="sums"
            ),
            paragraphs(words(look, width, own)),
        )


def trained_of(look: Look) -> Trained:
    key = ("scaling", look.page.address.model, look.page.text, look.kind, look.layer, look.head)
    return cached.remember(key, lambda: trained(look.view, look.head - 1))


def curves(look: Look, own: Trained) -> Curves:
    """Variances over the width, on a scale of powers of ten: the one grows, the other stays."""
    t, random = look.t, drawn()
    rest = np.full(MOST - len(own.running), np.nan)
    of_head = np.where(own.running > 0, own.running, np.nan)  # of a single pair there is none, and 0 has no logarithm
    values = [random.variance, random.scaled, np.concatenate([of_head, rest])]
    return Curves(
        x=Along(MOST, t("scale.axis"), from_=1, param="dk"),
        y=Upwards(log=True),
        series=[
            Series(t("scale.plain")),
            Series(t("scale.divided"), points=True),
            Series(t("scale.trained", head=look.head), "second"),
        ],
        values=[np.maximum(array, 1e-6) for array in values],
        words=CurvesWords(t("scale.label")),
        height=HEIGHT,
        levels=[Level(1, "1")],
    )


def rows(look: Look, width: int, own: Trained) -> list[list[object]]:
    t, random, at = look.t, drawn(), width - 1
    names = [t(f"scale.rows.{name}") for name in ("variance", "scaled", "largest", "largest_scaled")]
    columns = [
        [random.variance, random.scaled, random.largest, random.largest_scaled],
        [own.variance, own.variance / look.view.d_head, own.largest, own.largest_scaled],
    ]
    return [[name, float(a[at]), float(b)] for name, a, b in zip(names, *columns, strict=True)]


def words(look: Look, width: int, own: Trained) -> list[str]:
    t, random, at, d = look.t, drawn(), width - 1, look.view.d_head
    slopes = {"slope": float(random.slope[at]), "slope_scaled": float(random.slope_scaled[at])}
    said = [t.html("scale.saturated", width=width, **slopes)]
    if own.pairs == 1 or own.variance == 0:
        return [*said, t.html("scale.one_pair")]
    entries = {"q_mean": own.query[0], "q_var": own.query[1], "k_mean": own.key[0], "k_var": own.key[1]}
    more = "scale.together" if own.variance > own.apart else "scale.against"
    numbers = {"apart": own.apart, "whole": own.variance, "after": own.variance / d}
    return [*said, t.html("scale.entries", head=look.head, **entries), t.html(more, d_head=d, **numbers)]
