"""Why ÷ √d_k: the variance of q·k and how decided softmax becomes, drawn at random and in this head."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.derivation import Cell
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.views.scaling import KEYS, MOST, QUERIES, SEED, Trained, drawn, trained
from pages.shared.address.address import whole
from pages.shared.number import number_links
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.shared.page.stage import piece
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.attention.context import StageContext

HEIGHT = 250  # pixels
LEAST = 1e-6  # of what is drawn on a logarithmic axis
MEASURED = "measured"


def parameters(page, view):
    return {"dk": whole(1, MOST, view.d_head)}


def draw(context: StageContext) -> None:
    t = context.t
    facts = {"queries": QUERIES, "keys": KEYS, "pairs": grouped(QUERIES * KEYS), "seed": SEED}
    write(heading(t, "scale"), paragraphs([t.html("scale.said", **facts)]))
    controls("scale", typed(t, "dk", t("scale.width"), 1, MOST))
    piece(context, MEASURED, measured)


def measured(context: StageContext) -> None:
    """What moves with the head and with d_k."""
    curve, beside, below = made_of(context.only("head", "dk"))
    left, right = st.columns([1, 1], gap="large")
    with left:
        components.curves(key="variances", data=curve)
    with right:
        write(beside)
    write(below)


@cached.shared
def made_of(context: StageContext) -> tuple[bytes, str, str]:
    """The curves, the table with its sentence, and those of this head."""
    width, own = context.values["dk"], trained_of(*context.key, context.layer, context.kind, context.head)
    heads = ["", f"N(0, 1), d_k = {width}", context.t("scale.head", head=context.head)]
    first, *others = words(context, width, own)
    beside = table(rows(context, width, own), heads, kind="sums") + paragraphs([first])
    return curves(context, own).pack(), beside, paragraphs(others)


@cached.shared
def trained_of(name: str, text: str, layer: int, kind: str, head: int) -> Trained:
    return trained(cached.attention(name, text, layer, kind), head - 1)


def curves(context: StageContext, own: Trained) -> Curves:
    """Variances over the width, on a scale of powers of ten: the one grows, the other stays."""
    t, random = context.t, drawn()
    rest = np.full(MOST - len(own.running), np.nan)
    of_head = np.where(own.running > 0, own.running, np.nan)  # of a single pair there is none, and 0 has no logarithm
    values = [np.maximum(array, LEAST) for array in (random.variance, random.scaled, np.concatenate([of_head, rest]))]
    return Curves(
        x=Along(MOST, t("scale.axis"), from_=1, param="dk"),
        y=Upwards(low=foot(values), log=True),
        series=[
            Series(t("scale.plain"), "second"),
            Series(t("scale.divided")),
            Series(t("scale.trained", head=context.head), "second", points=True),
        ],
        values=values,
        words=CurvesWords(t("scale.label")),
        height=HEIGHT,
    )


def foot(values: Sequence[np.ndarray]) -> float:
    """The power of ten at or below the least there is: the axis begins at a line, and no point lies on its end."""
    return float(10.0 ** np.floor(np.log10(min(np.nanmin(array) for array in values))))


def rows(context: StageContext, width: int, own: Trained) -> list[list[object]]:
    t, random, at = context.t, drawn(), width - 1
    names = [t(f"scale.rows.{name}") for name in ("variance", "scaled", "largest", "largest_scaled")]
    columns = [
        [random.variance, random.scaled, random.largest, random.largest_scaled],
        [
            whole_of(context, own),
            scaled_of(context, own),
            sharp_of(context, own),
            of_head(context, own.largest_scaled, "weights", "peaks"),
        ],
    ]
    return [[name, float(a[at]), b] for name, a, b in zip(names, *columns, strict=True)]


def open_to_all(context: StageContext) -> bool:
    """Where a mask hides pairs, a number is of the others, and is not followed."""
    return bool(np.isfinite(context.view.mask).all())


def scaled_of(context: StageContext, own: Trained) -> float:
    """The variance of the scores."""
    after = own.variance / context.view.d_head
    return of_head(context, after, "scores", "variance") if open_to_all(context) else after


def whole_of(context: StageContext, own: Trained) -> float:
    """The same of q·k, before it is divided."""
    return of_head(context, own.variance, "scores", "undivided") if open_to_all(context) else own.variance


def sharp_of(context: StageContext, own: Trained) -> float:
    """The largest weight on average, if nothing were divided."""
    return of_head(context, own.largest, "scores", "sharp") if open_to_all(context) else own.largest


def apart_of(context: StageContext, own: Trained) -> float:
    """What the variance would be if the dimensions were independent."""
    if not open_to_all(context):
        return own.apart
    heads = (Cell(context.view.taps[name], (context.head - 1, None, None)) for name in ("query", "key"))
    return number_links.measured(context, own.apart, "product_variances", *heads)


def words(context: StageContext, width: int, own: Trained) -> list[str]:
    t, random, at, d = context.t, drawn(), width - 1, context.view.d_head
    slopes = {"slope": float(random.slope[at]), "slope_scaled": float(random.slope_scaled[at])}
    said = [t.html("scale.saturated", width=width, **slopes)]
    if own.pairs == 1 or own.variance == 0:
        return [*said, t.html("scale.one_pair")]
    found = {"q_mean": own.query[0], "q_var": own.query[1], "k_mean": own.key[0], "k_var": own.key[1]}
    of = {"q": "query", "k": "key", "mean": "mean", "var": "variance"}
    entries = {name: of_head(context, value, *(of[part] for part in name.split("_"))) for name, value in found.items()}
    more = "scale.together" if own.variance > own.apart else "scale.against"
    numbers = {"apart": apart_of(context, own), "whole": whole_of(context, own), "after": scaled_of(context, own)}
    return [*said, t.html("scale.entries", head=context.head, **entries), t.html(more, d_head=d, **numbers)]


def of_head(context: StageContext, value: float, name: str, kind: str) -> float:
    """The mean or the variance of all numbers of the selected head; it can be followed."""
    return number_links.measured(context, value, kind, Cell(context.view.taps[name], (context.head - 1, None, None)))
