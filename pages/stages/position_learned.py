"""The learned table beside the waves: its rows, norms and distances, and where it ends."""

from functools import partial

import numpy as np
import streamlit as st

from core.views import position as views
from core.views.position import MEASURES, PositionTable
from pages.shared import cached, components, follow, state
from pages.shared.numbers import exact, grouped, short
from pages.shared.page import Page, paragraphs
from pages.shared.state import Parameter, choice, whole
from pages.stages.position_distances import SCALES, pair_data, pairs_data
from pages.stages.position_parts import FARTHEST, WINDOW, Parameters, dimensions, matrix_words, part, typed


def own_parameters(learned: PositionTable) -> dict[str, Parameter]:
    return {"scale": choice(*SCALES, default="one"), "beyond": whole(0, FARTHEST, len(learned.rows))}


def rows_data(page: Page, table: PositionTable, own: bool) -> bytes:
    """The first rows of a table; a click in the page's `own` selects that number on the whole page."""
    t, count = page.t, WINDOW
    labels = [str(i) for i in range(count)]
    rows_param, columns_param = ("pos", "dim") if own else ("other_pos", "other_dim")  # another model's cells
    header = {
        "name": [],
        "planes": [""],
        "rows": {"param": rows_param, "labels": labels, "count": count, "from": 0, "word": t("position")},
        "columns": {**dimensions(page, table.d_model), "param": columns_param},
        "reachBy": "scale",
        "reach": {"one": 1, "each": table.reach},
        "tall": 4 * count,
        "also": {"kind": table.kind} if own else {},
        "words": matrix_words(page, "learned.rows_label", t(f"rows.{table.kind}", count=count)),
    }  # fmt: skip
    return components.pack(header, table.rows[:count])


def norms_data(page: Page, trained: PositionTable, waves: PositionTable) -> bytes:
    mean = float(trained.norms[1:].mean())
    words = curve_words(page, "norms", waves.norms, mean=mean)
    marks = [marked(trained.norms, i, str(i)) for i in (0, 127)]
    return curves(page, trained.norms, waves.norms, page.t("position"), marks, words)


def neighbours_data(page: Page, trained: PositionTable, waves: PositionTable) -> bytes:
    """How far each position is from the next."""
    words = curve_words(page, "next", waves.steps)
    marks = [{**marked(trained.steps, i, f"{i}–{i + 1}"), "below": True} for i in (0, 100)]
    return curves(page, trained.steps, waves.steps, page.t("next.word"), marks, words)


def curve_words(page: Page, name: str, computed: np.ndarray, **more: object) -> dict:
    caption = page.t(f"{name}.caption", computed=float(computed[0]), **more)
    return {"label": page.t(f"{name}.label"), "caption": caption}


def marked(values: np.ndarray, i: int, name: str) -> dict:
    return {"x": i, "y": float(values[i]), "text": f"{name}: {short(float(values[i]))}"}


def curves(page: Page, learned: np.ndarray, computed: np.ndarray, along: str, marks: list[dict], words: dict) -> bytes:
    """One number for each position, of the learned table and of the waves, on one logarithmic scale."""
    t = page.t
    header = {
        "x": {"from": 0, "step": 1, "count": len(learned), "word": along},
        "y": {"log": True, "low": 0.1, "high": 20},
        "series": [{"name": t("kinds.learned"), "look": "accent"}, {"name": t("kinds.sinusoidal"), "look": "second"}],
        "marks": marks,
        "height": 210,
        "words": words,
    }
    return components.pack(header, learned, computed)


def learned_table(page: Page, parameters: Parameters, learned: PositionTable, own: bool, veiled: bool) -> None:
    """The table that a model learned, the page's `own` or another, beside waves of its shape; no distances while
    `veiled`."""
    t, d, computed = page.t, learned.d_model, views.computed_table(*learned.rows.shape)
    part(page, "learned", "text" if own else "text_other", d_model=d)
    scales = [(name, t(f"scales.{name}")) for name in SCALES]
    components.controls(
        key="scale_controls", data={"controls": [{"name": "scale", "label": t("learned.scale"), "options": scales}]}
    )
    for place, table in zip(st.columns(2, gap="large"), (computed, learned), strict=True):
        with place:
            st.html(f"<p class='soft'>{t.html(f'learned_side.{table.kind}', d_model=d)}</p>")
            key, data = f"rows_{table.kind}", rows_data(page, table, own)
            components.matrix(key=key, data=data, on_selection_change=state.selecting(key, parameters))
    if not veiled:
        learned_distances(page, parameters, learned, computed)
    left, right = st.columns(2, gap="large")
    with left:
        if not veiled:
            follow.follow(page, parameters, partial(pair_data, page, learned, "followed_learned"), key="learned_pair")
    with right:
        beyond(page, parameters, learned)


def learned_distances(page: Page, parameters: Parameters, learned: PositionTable, computed: PositionTable) -> None:
    """Both tables compared: norms, neighbours, and any two positions."""
    t = page.t
    curves = {"norms": norms_data(page, learned, computed), "next": neighbours_data(page, learned, computed)}
    for place, (name, data) in zip(st.columns(2, gap="large"), curves.items(), strict=True):
        with place:
            st.html(f"<p class='soft'>{t.html(f'{name}.title')}</p>")
            components.curves(key=f"curve_{name}", data=data)
    one = {f"one/{m}": float(computed.pairs[m].max()) for m in MEASURES}
    for place, table in zip(st.columns(2, gap="large"), (computed, learned), strict=True):
        with place:
            key, data = f"pairs_{table.kind}", pairs_data(page, table, ("scale", "measure"), one)
            components.matrix(key=key, data=data, on_selection_change=state.selecting(key, parameters))


def beyond(page: Page, parameters: Parameters, learned: PositionTable) -> None:
    """Where the learned table ends, and what each kind costs."""
    t, (rows, d) = page.t, learned.rows.shape
    components.controls(key="beyond_controls", data={"controls": [typed(page, "beyond", 0, FARTHEST)]})
    refused_place, place = st.container(), st.container(key="beyond_said", gap=None)

    def said(now: dict) -> None:
        first = ", ".join(short(float(x)) for x in views.encoded(int(now["beyond"]), d)[:4])
        facts = {
            "position": grouped(int(now["beyond"])),
            "row": first,
            "parameters": f"{learned.parameters:,}",
            "d_model": d,
        }
        with place:
            paragraphs([t.html(key, rows=rows, **facts) for key in ("beyond.waves", "price.cost", "price.paper")])

    def data(now: dict) -> dict:
        at = int(now["beyond"])
        shown = {"id": f"beyond/{at}", "where": t("learned.table"), "steps": [], "params": ["beyond"]}
        if refused := views.refusal(cached.model("minilm"), at):
            note = t("beyond.learned", position=grouped(at), rows=rows, last=rows - 1, refused=refused)
            return {**shown, "title": t("norms.of", position=grouped(at)), "value": "–", "note": note}
        norm = float(learned.norms[at])
        return {**shown, "title": t("norms.of", position=at), "value": short(norm), "exact": exact(norm)}

    with refused_place:
        follow.follow(page, parameters, data, key="beyond", also=said)
