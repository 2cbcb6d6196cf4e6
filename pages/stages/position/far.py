"""How far apart two positions are: by distance and by dot product, for any two and for every gap."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation import Measure
from core.derivation.position import derive_gap
from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.figures.followed import Followed
from core.figures.matrix import Axis, Matrix
from core.views import position as views
from core.views.position import MEASURES, PositionTable
from pages.shared.address.address import Table, choice, whole
from pages.shared.number.follow import follow, headed, number
from pages.shared.page.parts import table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.shared.words.numbers import grouped, short
from pages.shared.words.texts import Texts
from pages.stages.position.context import FARTHEST, PositionView, StageContext, learned_row
from pages.stages.position.parts import begin, lines, nothing, typed

GAPS = 801  # gaps of the curve: as far as 710, where the fastest clock nearly repeats
CLAIMS = ((0, 1), (100, 101), (5000, 5001), (0, 44), (0, 710))  # pairs of positions people speak of
PAIR = ("a", "b", "measure")


def parameters(page: PageContext, view: PositionView) -> Table:
    ends = {"a": whole(0, FARTHEST, 0), "b": whole(0, FARTHEST, 1)}
    return {"measure": choice(*MEASURES, default="distance"), **ends}


def draw(context: StageContext) -> None:
    """Nothing of it while the question about it is open."""
    t, d = context.t, context.d_model
    begin(t, "far")
    if context.distances_veiled:
        return write(f"<p class='soft'>{t.html('far.veiled')}</p>")
    measures = Control("measure", t("far.measure"), [(m, t(f"measures.{m}")) for m in MEASURES])
    inputs = Controls([measures, *(typed(t, name, 0, FARTHEST) for name in ("a", "b"))])
    components.controls(key="pair_controls", data=inputs.data())
    left, right = st.columns([1, 1.08], gap="large")
    with left:
        data = pairs(t, "pairs", context.waves, ("measure",), {"dot": d / 2}).pack()
        components.matrix(key="pairs", data=data)
        write(claims(context))
    with right:
        follow(context, followed, key="pair")
        components.curves(key="gaps", data=gaps(context).pack())


SECTION = Section(draw, parameters, pieces={"pair": PAIR})


# ---- any two positions


def pairs(t: Texts, id: str, of: PositionTable, by: tuple[str, ...], reach: dict[str, float]) -> Matrix:
    """Distances and dot products of the first positions; `reach` says where colours end, by the parameters `by`."""
    count, ways = len(of.pairs[MEASURES[0]]), ("one/", "each/") if "scale" in by else ("",)
    captions = {m: t(f"pairs.{of.kind}.{m}", count=count) for m in MEASURES}
    return Matrix(
        id=id,
        name=("measure",),
        planes={m: of.pairs[m] for m in MEASURES},
        rows=Axis("a", count, word=t("position"), room=3),
        columns=Axis("b", count, word=t("position")),
        reach_by=by,
        reach=reach,
        tall=330,
        words=matrix_words(t, "pairs.label", captions={way + m: captions[m] for way in ways for m in MEASURES}),
    )


def followed(context: StageContext) -> Followed:
    return pair(context, context.waves, "followed_pair")


def pair(context: StageContext, of: PositionTable, title: str) -> Followed:
    """The distance or dot product of the two selected positions of a table."""
    t, (a, b, measure) = context.t, (context.values[name] for name in PAIR)
    id, where = f"{of.kind}/{measure}/{a}/{b}", t(f"follow_pair.{measure}", a=grouped(a), b=grouped(b))
    if of.kind == "learned" and max(a, b) >= len(of.rows):
        return nothing(t, id, title, where, t("beyond.pair", last=len(of.rows) - 1))
    if of.kind == "learned":
        what = Measure(measure, (learned_row(a), learned_row(b)))
        return replace(number(context, what, id, where, given=context.learner), title=t(title))
    derivation = derive_gap(of, measure, a, b)
    return headed(t, id, where, derivation, lines(t, derivation, "check.gap"), title)


# ---- every gap


@cached.shared
def distances_of(d_model: int) -> np.ndarray:
    return views.apart(np.arange(GAPS), d_model)


def gaps(context: StageContext) -> Curves:
    t, d = context.t, context.d_model
    every = distances_of(d)
    all_there, one_there = float(every[710]), float(views.apart_in_pair(np.array([710]), d, 0)[0])
    return Curves(
        x=Along(GAPS, t("gaps.gap"), param="b", also={"a": 0}),
        y=Upwards(low=0),
        series=[Series(t("gaps.all", d_model=d))],
        values=[every],
        marks=[Mark(710, all_there, short(all_there), "end")],
        height=210,
        words=CurvesWords(t("gaps.label"), t.html("gaps.caption", one=one_there, all=all_there)),
    )


def claims(context: StageContext) -> str:
    """Pairs of positions people speak of: all dimensions, and the first pair alone."""
    d, rows = context.d_model, []
    for a, b in CLAIMS:
        apart = views.encoded(a, d) - views.encoded(b, d)
        rows.append([f"{a:,} – {b:,}", float(np.linalg.norm(apart)), float(np.linalg.norm(apart[:2]))])
    return table(rows, [context.t(f"claims.{name}") for name in ("pair", "all", "one")])
