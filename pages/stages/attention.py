"""Attention: one head of any layer, number by number."""

import numpy as np
import streamlit as st

from core.derivation.attention import derive
from core.heads import KNOWN
from core.model.attention import MultiHeadAttention
from core.model.places import attention_at
from core.questions.attention import most_looked_at
from core.text.token import named
from core.views.attention import KINDS, MODES, SQUARE, AttentionView, clearest
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import choice, whole

OPENING = 3, 9  # layer and head where MiniLM opens: determiners find their nouns here (1-based, as in the address)
ALL_HEADS_UNDER = 300_000  # bytes: up to this size the browser gets every head, beyond it the one looked at


def opening_head(page: Page) -> tuple[int, int]:
    """Layer and head to open on: of a translator, those that look most decidedly at this sentence."""
    if not page.writes:
        return OPENING
    name, text = page.address.model, page.text
    layer, head = clearest(cached.capture(name, text, only=("encoder.*.attention.weights",)))
    return layer + 1, head + 1


def view_of(layer: int, kind: str = "encoder") -> AttentionView:
    """The view of a layer of this sentence, counted from 1."""
    return cached.attention(page.address.model, page.text, layer, kind)


def opening_cell() -> tuple[int, int]:
    """While the question is open, the diagonal cell of a neighbouring row; after that, the asked row's largest."""
    if kind == "encoder" and question and veiled:
        neighbour = question.row - 1 if question.row else 1
        return neighbour, neighbour
    weights = view_of(LAYER, kind).weights[HEAD - 1]
    row = question.row if kind == "encoder" and question else int(np.argmax(weights.max(-1)))
    return row, int(weights[row].argmax())


def parameters() -> dict[str, state.Parameter]:
    q, k = opening_cell()
    return {
        **WHICH,
        "head": whole(1, page.model.config.heads, HEAD),
        "show": choice(*MODES, default="weights"),
        "q": whole(0, len(view.queries) - 1, q),
        "k": whole(0, len(view.keys) - 1, k),
        "dim": whole(0, page.model.config.d_head - 1, 0),
        "marks": choice("1", default=None),
        **OPEN,
    }


page = current()
LAYER, HEAD = opening_head(page)
opening = view_of(LAYER)
question = most_looked_at(opening, HEAD - 1)
veiled = ask.is_open(page, question)
WHICH = {
    "kind": choice(*(KINDS if page.writes else KINDS[:1]), default="encoder"),
    "layer": whole(1, page.model.config.layers, LAYER),
}
kind, layer = page.address.read(WHICH).values()
view = view_of(layer, kind)
TABLE = parameters()
values = page.read(TABLE)
head, show = values["head"], values["show"]
VEIL = [question.row] if veiled and question and kind == "encoder" else []


# ---- the picture


def axes(mode: str) -> tuple[str, str]:
    """The parameters that a mode's rows and columns stand for."""
    if mode in SQUARE:
        return "q", "k"
    return ("k" if mode in ("key", "value") else "q"), "dim"


def strip() -> Strip:
    """The marks: queries and keys stand in one sentence, or, in cross-attention, in two."""
    row, column = axes(show)
    both = Strip(first=row, second="k" if column == "k" else None, click=row)
    if kind == "encoder":
        return both
    if kind == "self":
        return Strip(target=both)
    return Strip(first="k", click="k", target=Strip(first="q", click="q"))


page.strip = strip()


def plane(mode: str, head: int) -> np.ndarray:
    """A plane as it may be shown: the veiled row is not in it. Contexts and queries do not answer the question."""
    array = view.plane(mode, head - 1)
    if VEIL and mode in SQUARE:
        array = array.copy()
        array[VEIL] = np.nan
    return array


def stack() -> bytes:
    """The planes for the browser: every head, in every mode of the same shape, as far as they fit."""
    modes = SQUARE if show in SQUARE else tuple(m for m in MODES if axes(m) == axes(show))
    (row, column), (n, m) = axes(show), plane(show, head).shape
    one = n * m * 4
    heads = range(1, view.heads + 1)
    if one * len(heads) * len(modes) <= ALL_HEADS_UNDER:
        names = [(mode, h) for mode in modes for h in heads]
    elif one * len(heads) <= ALL_HEADS_UNDER:
        names = [(show, h) for h in heads]
    else:
        names = [(show, head)]
    header = {
        "name": ["kind", "layer", "show", "head"],
        "planes": [f"{kind}/{layer}/{mode}/{h}" for mode, h in names],
        "rows": {"param": row, "labels": row_tokens(show), "count": n, "from": 0, "word": ""},
        "columns": {
            "param": column,
            "labels": view.key_tokens if column == "k" else None,
            "count": m,
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


def row_tokens(mode: str) -> tuple[str, ...]:
    return view.tokens if axes(mode)[0] == "q" else view.key_tokens


def controls() -> dict:
    config, t = page.model.config, page.t
    alone = {"q": None, "k": None}  # of another kind of attention, rows and columns are other tokens
    kinds = {
        "name": "kind",
        "label": t("kind"),
        "options": [(id, t(f"kinds.{id}")) for id in KINDS],
        "also": alone,
        "usual": "encoder",
    }
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
            "label": t("more_kinds" if page.writes else "more"),
            "controls": [
                {"name": "show", "label": "", "options": [(m, t(f"shows.{m}")) for m in MODES if m not in SQUARE]},
                *([kinds] if page.writes else []),
            ],
        },
    }


def thumbnails() -> bytes:
    """The layer's heads in small. They are read from the stack, or pooled where that holds only one head."""
    t, size = page.t, plane(show, head).size
    header = {
        "param": "head",
        "label": t("heads_title", heads=view.heads),
        "word": t("head"),
        "items": [{"id": h, "name": str(h), "known": known(h)} for h in range(1, view.heads + 1)],
    }
    if size * 4 * view.heads <= ALL_HEADS_UNDER:
        return components.pack(header)
    small, ranges = components.pooled(np.stack([plane(show, h) for h in range(1, view.heads + 1)]))
    reach = 1 if show in ("weights", "contribution") else None
    header["pooled"] = {"rows": small.shape[1], "columns": small.shape[2], "ranges": ranges, "reach": reach}
    return components.pack(header, small)


def known(h: int) -> str:
    name = KNOWN.get((layer, h)) if page.address.model == "minilm" and not VEIL else None
    return page.t(f"heads.{name}") if name else ""


# ---- the number being followed


def at(tokens: tuple[str, ...], index: int) -> str:
    """A token by its name; from layer 2 on, and in cross-attention, its place: what stands there is mixed by then."""
    return page.t("at", token=named(tokens, index)) if deep() else named(tokens, index)


def state_at(tokens: tuple[str, ...], index: int) -> str:
    """The same in a sentence."""
    return page.t("state_at", token=named(tokens, index)) if deep() else named(tokens, index)


def deep() -> bool:
    return layer > 1 or kind == "cross"


def asked_names() -> dict[str, str]:
    """The names in the question, as the rest of the page says them."""
    if question is None or LAYER == 1:
        return {}
    names = {name: str(question.facts[name]) for name in ("token", "best", "second")}
    return {name: page.t("state_at", token=token) for name, token in names.items()}


def derivation_data(now: dict) -> dict:
    t, mode, h = page.t, now["show"], now["head"]
    if (now["kind"], now["layer"]) != (kind, layer):  # a component ahead of the page: the next run draws it
        st.rerun(scope="app")
    row, column = (now[name] for name in axes(mode))
    square = mode in SQUARE
    names = {
        "row": at(row_tokens(mode), row),
        "column": at(view.key_tokens, column) if square else column,
        "layer": now["layer"],
        "head": h,
    }
    where = t("follow_where" if square else "follow_where_wide", **names)
    base = {
        "id": f"{kind}/{now['layer']}/{h}/{mode}/{row}/{column}",
        "where": where,
        "title": t("follow"),
    }
    if row in VEIL and (square or mode == "context"):  # a context's terms are the row's weights
        return {**base, "value": t("matrix.veiled"), "steps": [], "note": t("veiled_step")}
    derivation = derive(view, mode, h - 1, row, column)
    labels = view.key_tokens if mode == "context" else None
    steps = follow.lines(t, derivation, n=len(view.keys), labels=labels, **names)
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
    if VEIL and question:
        return page.lead("lead_open", layer=LAYER, head=HEAD, token=named(opening.tokens, question.row))
    weights = view.weights[now["head"] - 1, now["q"]]
    best = int(weights.argmax())
    names = {"token": state_at(view.tokens, now["q"]), "best": state_at(view.key_tokens, best)}
    page.lead("lead", weight=float(weights[best]), **names)


def notices(now: dict) -> list[str]:
    t, said = page.t, []
    h, row, keys = now["head"] - 1, now["q"], view.key_tokens
    weights = view.weights[h]
    open_keys = np.flatnonzero(view.mask[row] == 0)  # those that may be looked at
    if row not in VEIL and len(open_keys) > 2:
        second, best = open_keys[np.argsort(weights[row, open_keys])[-2:]]
        said.append(
            t.html(
                "notice.row",
                token=state_at(view.tokens, row),
                best=state_at(keys, best),
                weight=float(weights[row, best]),
                second=state_at(keys, second),
                second_weight=float(weights[row, second]),
                n=len(open_keys),
            )
        )  # fmt: skip
    if (i := looked_but_not_taken(h)) is None:
        said.append(t.html("notice.same"))
    else:
        shares = view.contribution(h)
        looked, taken = int(weights[i].argmax()), int(shares[i].argmax())
        said.append(
            t.html(
                "notice.not_importance", token=state_at(view.tokens, i), looked=state_at(keys, looked),
                weight=float(weights[i, looked]), taken=state_at(keys, taken), share=float(shares[i, taken]),
            )
        )  # fmt: skip
    if kind == "cross" and row < len(page.translation.target_out):
        written = page.translation.target_out[row].text
        said.append(t.html("notice.writing", given=named(view.tokens, row), written=written))
    if now["layer"] > 1:
        said.append(t.html("notice.state", token=named(view.tokens, row)))
    return [*said, t.html(page.own("differs"), layers=page.model.config.layers)]


def looked_but_not_taken(h: int) -> int | None:
    """The row, if any, in which most clearly another token contributes most than the one looked at most."""
    weights, shares = view.weights[h], view.contribution(h)
    rows = [i for i in range(len(view.queries)) if i not in VEIL and weights[i].argmax() != shares[i].argmax()]
    return max(rows, key=lambda i: float(weights[i].max()), default=None)


def attempt() -> tuple[str, dict] | None:
    """One thing to try: what is looked at most is not always what is taken most."""
    i = looked_but_not_taken(head - 1)
    if i is None:
        if kind == "cross":
            return None
        if page.writes:
            return page.t("notice.try_cross"), {"kind": "cross", "layer": 2, "show": "weights", "q": None, "k": None}
        return page.t("notice.try_same"), {"layer": 5, "head": 6, "show": "weights"}
    taken = int(view.contribution(head - 1)[i].argmax())
    return page.t("notice.try", token=named(view.tokens, i)), {"show": "contribution", "q": i, "k": taken}


def opened() -> Opened:
    now = state.Address().read(TABLE)
    mode, h, (row, column) = now["show"], now["head"], axes(now["show"])
    tap = attention_at(kind, layer - 1)
    shapes = [
        (f"{tap}.{part}", page.model.tap_dims[f"{tap}.{part}"], getattr(view, part).shape)
        for part in ("query", "key", "value", "scores", "mask", "weights", "context")
    ]
    columns = view.key_tokens if column == "k" else [str(i) for i in range(view.d_head)]
    return Opened(
        formula=formula(mode, h, now[row], now[column]),
        code=(MultiHeadAttention.forward, MultiHeadAttention.split, MultiHeadAttention.join),
        shapes=shapes,
        compare=lambda: (
            page.t("compared.weights", layers=page.model.config.layers + page.model.config.decoder_layers),
            compare.attention_difference(page.address.model, page.text),
        ),
        table=lambda: csv(plane(mode, h), row_tokens(mode), columns),
        table_name=f"{kind}-{mode}-layer-{layer}-head-{h}.csv",
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
if kind == "encoder":  # the question is about the encoder
    ask.ask(
        page,
        question,
        reset=("kind", "layer", "head", "show", "q", "k", "dim"),
        layer=LAYER,
        head=HEAD,
        **asked_names(),
    )
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
