"""Attention: one head of any layer, number by number."""

import numpy as np
import streamlit as st

from core.derivation.attention import derive
from core.heads import KNOWN
from core.model.attention import MultiHeadAttention
from core.predict import most_looked_at
from core.views.attention import MODES, SQUARE, AttentionView, attention_view, taps
from pages.shared import ask, cached, components, follow, hugging_face, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import choice, whole

LAYER, HEAD = 3, 9  # where the page opens: determiners find their nouns here (1-based, as in the address)
ALL_HEADS_UNDER = 300_000  # bytes: up to this size the browser gets every head, beyond it the one looked at


def parameters(page: Page, q: int, k: int) -> dict[str, state.Parameter]:
    config, n = page.model.config, len(page.tokens)
    return {
        "layer": whole(1, config.layers, LAYER),
        "head": whole(1, config.heads, HEAD),
        "show": choice(*MODES, default="weights"),
        "q": whole(0, n - 1, q),
        "k": whole(0, n - 1, k),
        "dim": whole(0, config.d_head - 1, 0),
        "marks": choice("1", default=None),
        **OPEN,
    }


def view_of(page: Page, layer: int) -> AttentionView:
    """The view of a layer, counted from 1."""
    key = ("attention", page.address.model, page.text, layer)

    def make() -> AttentionView:
        run = cached.capture(page.address.model, page.text, only=taps(layer - 1))
        return attention_view(run, page.model, layer - 1)

    return cached.remember(key, make)


def opening_cell(opening: AttentionView, question, veiled: bool) -> tuple[int, int]:
    """While the question is open, the diagonal cell of a neighbouring row; after that, the asked row's largest."""
    weights = opening.weights[HEAD - 1]
    if question is None:
        row = int(np.argmax(weights.max(-1)))
        return row, int(weights[row].argmax())
    if veiled:
        neighbour = question.row - 1 if question.row else 1
        return neighbour, neighbour
    return question.row, int(weights[question.row].argmax())


page = current()
opening = view_of(page, LAYER)
question = most_looked_at(opening, HEAD - 1)
veiled = ask.is_open(page, question)
TABLE = parameters(page, *opening_cell(opening, question, veiled))
values = page.read(TABLE)
layer, head, show = values["layer"], values["head"], values["show"]
view = opening if layer == LAYER else view_of(page, layer)
VEIL = [question.row] if veiled and question else []


# ---- the picture


def axes(mode: str) -> tuple[str, str]:
    """The parameters that a mode's rows and columns stand for."""
    if mode in SQUARE:
        return "q", "k"
    return ("k" if mode in ("key", "value") else "q"), "dim"


row_parameter, column_parameter = axes(show)
page.strip = Strip(first=row_parameter, second="k" if column_parameter == "k" else None, click=row_parameter)


def plane(mode: str, head: int) -> np.ndarray:
    """A plane as it may be shown: the veiled row is not in it. Contexts and queries do not answer the question."""
    array = view.plane(mode, head - 1)
    if VEIL and mode in SQUARE:
        array = array.copy()
        array[VEIL] = np.nan
    return array


def stack() -> bytes:
    """The planes for the browser: every head, in every mode of the same shape, as far as they fit."""
    n, modes = len(page.tokens), SQUARE if show in SQUARE else tuple(m for m in MODES if axes(m) == axes(show))
    one = n * (n if show in SQUARE else view.d_head) * 4
    heads = range(1, view.heads + 1)
    if one * len(heads) * len(modes) <= ALL_HEADS_UNDER:
        names = [(mode, h) for mode in modes for h in heads]
    elif one * len(heads) <= ALL_HEADS_UNDER:
        names = [(show, h) for h in heads]
    else:
        names = [(show, head)]
    row, column = axes(show)
    header = {
        "name": ["layer", "show", "head"],
        "planes": [f"{layer}/{mode}/{h}" for mode, h in names],
        "rows": {"param": row, "labels": page.tokens, "count": n, "from": 0, "word": ""},
        "columns": {
            "param": column,
            "labels": page.tokens if column == "k" else None,
            "count": n if column == "k" else view.d_head,
            "from": 0,
            "word": page.t("matrix.dim"),
        },
        "reachBy": "show",
        "reach": {"weights": 1, "contribution": 1},
        "words": {
            "label": page.t("matrix_label"),
            "captions": {mode: page.t(f"captions.{mode}", d_head=view.d_head) for mode in MODES},
            **{name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")},
        },
    }
    return components.pack(header, *[plane(mode, h) for mode, h in names])


def controls() -> dict:
    config, t = page.model.config, page.t
    return {
        "controls": [
            {
                "name": "layer",
                "label": t("layer"),
                "options": [(i, str(i)) for i in range(1, config.layers + 1)],
                "stepper": True,
            },
            {"name": "head", "label": t("head"), "options": [(i, str(i)) for i in range(1, config.heads + 1)]},
            {"name": "show", "label": t("show"), "options": [(mode, t(f"shows.{mode}")) for mode in SQUARE]},
        ],
        "more": {
            "label": t("more"),
            "controls": [
                {"name": "show", "label": "", "options": [(m, t(f"shows.{m}")) for m in MODES if m not in SQUARE]}
            ],
        },
    }


def thumbnails() -> bytes:
    """The layer's heads in small. They are read from the stack, or pooled where that holds only one head."""
    n, t = len(page.tokens), page.t
    header = {
        "param": "head",
        "label": t("heads_title", heads=view.heads),
        "word": t("head"),
        "items": [{"id": h, "name": str(h), "known": known(h)} for h in range(1, view.heads + 1)],
    }
    if n * (n if show in SQUARE else view.d_head) * 4 * view.heads <= ALL_HEADS_UNDER:
        return components.pack(header)
    small, ranges = components.pooled(np.stack([plane(show, h) for h in range(1, view.heads + 1)]))
    reach = 1 if show in ("weights", "contribution") else None
    header["pooled"] = {"rows": small.shape[1], "columns": small.shape[2], "ranges": ranges, "reach": reach}
    return components.pack(header, small)


def known(h: int) -> str:
    name = KNOWN.get((layer, h)) if page.address.model == "minilm" and not VEIL else None
    return page.t(f"heads.{name}") if name else ""


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    t, mode, h = page.t, now["show"], now["head"]
    current_view = view if now["layer"] == layer else view_of(page, now["layer"])
    row, column = (now[name] for name in axes(mode))
    square = mode in SQUARE
    names = {
        "row": page.name(row),
        "column": page.name(column) if square else column,
        "layer": now["layer"],
        "head": h,
    }
    where = t("follow_where" if square else "follow_where_wide", **names)
    base = {
        "id": f"{now['layer']}/{h}/{mode}/{row}/{column}",
        "where": where,
        "title": t("follow"),
    }
    if row in VEIL and (square or mode == "context"):  # a context's terms are the row's weights
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(current_view, mode, h - 1, row, column)
    labels = page.tokens if mode == "context" else None
    steps = follow.lines(t, derivation, n=len(page.tokens), labels=labels, **names)
    return {**base, "value": short(derivation.captured), "exact": exact(derivation.captured), "steps": steps}


# ---- the words


def words(now: dict) -> None:
    """The sentences that speak of what is selected; nothing about the veiled row."""
    with lead_place:
        lead(now)
    with said_place:
        paragraphs(notices(now))


def lead(now: dict) -> None:
    if now["show"] not in SQUARE:
        return page.lead("lead_wide", d_head=view.d_head)
    if veiled and question:
        return page.lead("lead_open", layer=LAYER, head=HEAD, token=page.name(question.row))
    weights = view.weights[now["head"] - 1, now["q"]]
    best = int(weights.argmax())
    page.lead("lead", token=page.name(now["q"]), best=page.name(best), weight=float(weights[best]))


def notices(now: dict) -> list[str]:
    t, said = page.t, []
    h, row = now["head"] - 1, now["q"]
    weights = view.weights[h]
    if row not in VEIL and len(page.tokens) > 2:
        second, best = np.argsort(weights[row])[-2:]
        said.append(
            t.html(
                "notice.row", token=page.name(row), best=page.name(best), weight=float(weights[row, best]),
                second=page.name(second), second_weight=float(weights[row, second]), n=len(page.tokens),
            )
        )  # fmt: skip
    if (i := looked_but_not_taken(h)) is None:
        said.append(t.html("notice.same"))
    else:
        shares = view.contribution(h)
        looked, taken = int(weights[i].argmax()), int(shares[i].argmax())
        said.append(
            t.html(
                "notice.not_importance", token=page.name(i), looked=page.name(looked), weight=float(weights[i, looked]),
                taken=page.name(taken), share=float(shares[i, taken]),
            )
        )  # fmt: skip
    if now["layer"] > 1:
        said.append(t.html("notice.state", token=page.name(row)))
    return said


def looked_but_not_taken(h: int) -> int | None:
    """The row, if any, in which most clearly another token contributes most than the one looked at most."""
    weights, shares = view.weights[h], view.contribution(h)
    rows = [i for i in range(len(page.tokens)) if i not in VEIL and weights[i].argmax() != shares[i].argmax()]
    return max(rows, key=lambda i: float(weights[i].max()), default=None)


def attempt() -> tuple[str, dict]:
    """One thing to try: what is looked at most is not always what is taken most."""
    i = looked_but_not_taken(head - 1)
    if i is None:
        return page.t("notice.try_same"), {"layer": 5, "head": 6, "show": "weights"}
    taken = int(view.contribution(head - 1)[i].argmax())
    return page.t("notice.try", token=page.name(i)), {"show": "contribution", "q": i, "k": taken}


def opened() -> Opened:
    now = state.Address().read(TABLE)
    mode, h, (row, column) = now["show"], now["head"], axes(now["show"])
    at = f"encoder.{layer - 1}.attention"
    shapes = [
        (f"{at}.{part}", page.model.tap_dims[f"{at}.{part}"], getattr(view, part).shape)
        for part in ("query", "key", "value", "scores", "mask", "weights", "context")
    ]
    columns = page.tokens if column == "k" else [str(i) for i in range(view.d_head)]
    return Opened(
        formula=formula(mode, h, now[row], now[column]),
        code=(MultiHeadAttention.forward, MultiHeadAttention.split, MultiHeadAttention.join),
        shapes=shapes,
        compare=lambda: (
            page.t("compared.weights", layers=page.model.config.layers),
            hugging_face.attention_difference(page.address.model, page.text),
        ),
        table=lambda: csv(plane(mode, h), page.tokens, columns),
        table_name=f"{mode}-layer-{layer}-head-{h}.csv",
        captured=not veiled,
    )


FORMULAS = {
    "scores": r"\frac{q_i \cdot k_j}{\sqrt{d_k}}",
    "weights": r"\mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}}\right)",
    "contribution": r"\frac{\alpha_{ij}\,\lVert v_j W^O\rVert}{\sum_l \alpha_{il}\,\lVert v_l W^O\rVert}",
    "query": r"q_i = x_i W^Q + b^Q",
    "key": r"k_j = x_j W^K + b^K",
    "value": r"v_j = x_j W^V + b^V",
    "context": r"\sum_j \alpha_{ij} v_j",
}


def formula(mode: str, h: int, row: int, column: int) -> str:
    """The general formula and, under it, this cell's numbers; none for a veiled row."""
    if row in VEIL and (mode in SQUARE or mode == "context"):
        return FORMULAS[mode]
    *before, last = derive(view, mode, h - 1, row, column).steps
    part = {name: short(value) for name, value in last.parts.items() if isinstance(value, float)}
    numbers = {
        "scores": lambda: rf"\frac{{{short(before[0].value)}}}{{\sqrt{{{view.d_head}}}}} =",
        "weights": lambda: (
            rf"\frac{{e^{{{part['score']}}}}}{{\sum_l e^{{s_l}}}} = \frac{{{part['power']}}}{{{part['total']}}} ="
        ),
        "contribution": lambda: rf"\frac{{{part['brought']}}}{{{part['total']}}} =",
        "context": lambda: "",
    }.get(mode, lambda: rf"{short(before[0].value)} + ({part['bias']}) =")
    return rf"\begin{{aligned}} & {FORMULAS[mode]} \\ & = {numbers()} {short(last.value)} \end{{aligned}}"


# ---- the page, top to bottom

page.title()
lead_place = st.container()
ask.ask(page, question, reset=("layer", "head", "show", "q", "k", "dim"), layer=LAYER, head=HEAD)
components.controls(key="controls", data=controls())
left, right = st.columns([1, 1.08], gap="large")
with left:
    components.matrix(key="matrix", data=stack(), on_selection_change=state.selecting("matrix", TABLE))
components.thumbnails(key="heads", data=thumbnails())
said_place = page.notice([], attempt())
with right:
    follow.follow(page, TABLE, derivation_data, also=words)
open_it(page, opened)
page.next_stop()
