"""How far apart two positions are: by distance and by dot product, for any two and for every gap."""

from functools import partial

import numpy as np
import streamlit as st

from core.derivation.position import derive_pair
from core.views import position as views
from core.views.position import MEASURES, PositionTable
from pages.shared import components, follow, state
from pages.shared.numbers import grouped, short
from pages.shared.page import Page, paragraphs
from pages.shared.state import choice, whole
from pages.stages.position_parts import FARTHEST, Parameters, headline, lines, matrix_words, part, typed

GAPS = 801  # gaps of the curve: as far as 710, where the fastest clock nearly repeats
CLAIMS = ((0, 1), (100, 101), (5000, 5001), (0, 44), (0, 710))  # pairs of positions people speak of
SCALES = ("one", "each")  # colours of two tables side by side
PARAMETERS = {
    "measure": choice(*MEASURES, default="distance"),
    "a": whole(0, FARTHEST, 0),
    "b": whole(0, FARTHEST, 1),
}


def pairs_data(page: Page, table: PositionTable, by: str | tuple[str, ...], reach: dict) -> bytes:
    """Distances and dot products of the first positions; `reach` says where colours end, by the parameters `by`."""
    t, count = page.t, views.FAR
    axis = {"labels": None, "count": count, "from": 0, "word": t("position")}
    captions = {m: t(f"pairs.{table.kind}.{m}", count=count) for m in MEASURES}
    modes = [(m, m) for m in MEASURES] if by == "measure" else [(f"{s}/{m}", m) for s in SCALES for m in MEASURES]
    header = {
        "name": ["measure"],
        "planes": MEASURES,
        "rows": {**axis, "param": "a", "labels": [str(i) for i in range(count)]},
        "columns": {**axis, "param": "b"},
        "reachBy": by,
        "reach": reach,
        "tall": 330,
        "words": matrix_words(page, "pairs.label", "", captions={mode: captions[m] for mode, m in modes}),
    }
    return components.pack(header, *[table.pairs[m] for m in MEASURES])


def pair_data(page: Page, table: PositionTable, title: str, now: dict) -> dict:
    a, b, measure = int(now["a"]), int(now["b"]), str(now["measure"])
    base = {"id": f"{table.kind}/{measure}/{a}/{b}", "params": ["a", "b", "measure"], "steps": []}
    place = page.t(f"follow_pair.{measure}", a=grouped(a), b=grouped(b))
    if table.kind == "learned" and max(a, b) >= len(table.rows):
        refused = page.t("beyond.pair", last=len(table.rows) - 1)
        return {**base, "title": page.t(title), "value": "–", "where": place, "note": refused}
    derivation = derive_pair(table, measure, a, b)
    check = "check.gap" if table.kind == "sinusoidal" else "check.rows"
    return {**base, **headline(page, derivation, title), "where": place, "steps": lines(page, derivation, check)}


def gaps_data(page: Page, d: int) -> bytes:
    t, gaps = page.t, np.arange(GAPS)
    every, one = views.apart(gaps, d), views.apart_in_pair(gaps, d, 0)
    header = {
        "x": {"from": 0, "step": 1, "count": GAPS, "word": t("gaps.gap"), "param": "b", "also": {"a": 0}},
        "y": {"low": 0},
        "series": [{"name": t("gaps.all", d_model=d), "look": "accent"}, {"name": t("gaps.one"), "look": "second"}],
        "marks": [{"x": 710, "y": float(every[710]), "text": short(float(every[710])), "anchor": "end"}],
        "height": 210,
        "words": {"label": t("gaps.label"), "caption": t("gaps.caption", one=float(one[710]), all=float(every[710]))},
    }
    return components.pack(header, every, one)


def claims(page: Page, d: int) -> str:
    """Pairs of positions people speak of: all dimensions, and the first pair alone."""
    t, rows = page.t, []
    for a, b in CLAIMS:
        x, y = views.encoded(a, d), views.encoded(b, d)
        every, one = np.linalg.norm(x - y), np.linalg.norm(x[:2] - y[:2])
        rows.append(f"<tr><td>{a:,} – {b:,}</td><td>{short(float(every))}</td><td>{short(float(one))}</td></tr>")
    head = "".join(f"<td>{t.html(f'claims.{name}')}</td>" for name in ("pair", "all", "one"))
    return f"<div class='shapes-box'><table class='shapes'><tr>{head}</tr>{''.join(rows)}</table></div>"


def distances(page: Page, parameters: Parameters, waves: PositionTable, veiled: bool) -> None:
    """Any two positions, every gap, and what people say of them; nothing while the question about it is open."""
    part(page, "far")
    if veiled:
        st.html(f"<p class='soft'>{page.t.html('far.veiled')}</p>")
        return
    d = waves.d_model
    measures = [(m, page.t(f"measures.{m}")) for m in MEASURES]
    shown = [{"name": "measure", "label": page.t("far.measure"), "options": measures}]
    shown += [typed(page, name, 0, FARTHEST) for name in ("a", "b")]
    components.controls(key="pair_controls", data={"controls": shown})
    left, right = st.columns([1, 1.08], gap="large")
    with left:
        data = pairs_data(page, waves, "measure", {"dot": d / 2})
        components.matrix(key="pairs", data=data, on_selection_change=state.selecting("pairs", parameters))
    with right:
        follow.follow(page, parameters, partial(pair_data, page, waves, "followed_pair"), key="pair")
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.curves(key="gaps", data=gaps_data(page, d))
    with right:
        st.html(claims(page, d))
        paragraphs([page.t.html("far.said", d_model=d)])
