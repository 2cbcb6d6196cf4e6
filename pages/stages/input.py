"""Input: the token's vector and the position's become one by adding, and √d decides whose voice is heard."""

import html
import inspect
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.attention import derive as derive_attention
from core.derivation.input import derive_cell, derive_pair
from core.edits import Edit
from core.model import input as input_part
from core.predict import louder
from core.views.attention import AttentionView, attention_view, taps
from core.views.input import (
    TAPS,
    InputView,
    Pipeline,
    apart,
    at_start,
    changes,
    dropped,
    input_view,
    most_moved,
    multiplies,
    one_map,
    pipeline,
)  # fmt: skip
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, grouped, short
from pages.shared.open_it import OPEN, Opened, csv, open_it, source
from pages.shared.page import Page, Strip, current
from pages.shared.state import Parameter, choice, whole

ROWS = 12  # tokens shown at once
SQUARE = 128  # tokens whose cosines are shown at once
STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for
DRAWS = 1000  # seeds that dropout is averaged over
WIDTHS = 128, 512, 768  # the translator's, the paper's, BERT's
COMPARED = ("token", "sum", "output")  # the vectors whose cosines are shown; sums may stand side by side instead
SIDES = ("own", "now", "before", "after")  # the model's own, as switched; before dropout, after it
SECTIONS = ("why", "tied", "dropout", "shapes", "twice", "flow")
NOTES = [[1, 5, 23, 9, 0]], 30, 8  # ids, vocabulary and width the function of the notes is called with
PUBLISHED_RATE = 0.1  # Vaswani et al. 2017, 5.4, and MiniLM's own config


def share(default: float) -> Parameter:
    """A number from 0 to 1."""

    def parse(raw: str) -> float | None:
        try:
            number = float(raw) if raw.isascii() else None
        except ValueError:
            return None
        return number if number is not None and 0 <= number <= 1 else None

    return Parameter(parse, default, "0 … 1")


def view_of(page: Page, edits: tuple[Edit, ...] = ()) -> InputView:
    name, text = page.address.model, page.text
    make = lambda: input_view(cached.capture(name, text, only=TAPS, edits=edits), page.model)  # noqa: E731
    return cached.remember(("input", name, text, *(edit.id for edit in edits)), make)


def attention_of(page: Page, edits: tuple[Edit, ...] = ()) -> AttentionView:
    """The first layer's attention."""
    name, text = page.address.model, page.text

    def make() -> AttentionView:
        run = cached.capture(name, text, only=taps(page.model, 0), edits=edits)
        return attention_view(run, page.model, 0)

    return cached.remember(("input attention", name, text, *(edit.id for edit in edits)), make)


def switches() -> dict[str, Parameter]:
    """What stands above the picture."""
    return {
        "sqrt": choice("on", "off", default="on" if multiplies(page.model) else "off"),
        "positions": choice("on", "off", default="on"),
        "join": choice("add", "concat", default="add"),
    }


def parameters(token: int, head: int) -> dict[str, Parameter]:
    position = whole(0, len(own.tokens) - 1, token)
    return {
        "part": choice(*own.names, "sum", default="sum"),
        "pos": position,
        "dim": whole(0, own.d_model - 1, int(np.abs(own.total[token]).argmax())),
        "k": replace(position, default=None),
        "of": choice(*COMPARED, default="sum"),
        "side": choice(*SIDES, default="now"),
        "look": choice("own", "now", default=None),
        "head": whole(1, page.model.config.heads, head),
        "mode": choice("training", "evaluation", default="training"),
        "rate": share(PUBLISHED_RATE),
        "seed": whole(0, 2**32 - 1, 0),
        "width": whole(2, 2048, 512),
        "section": choice(*SECTIONS, default=SECTIONS[0]),
        "marks": choice("1", default=None),
        **OPEN,
    }


def opening_token() -> int:
    """The asked token; while the question is open, the word nearest to it."""
    if question is None:
        return next((i for i, special in enumerate(own.special) if not special), 0)
    if not veiled:
        return question.row
    asked = question.row
    others = [i for i in range(len(own.tokens)) if i != asked]
    return min(others, key=lambda i: (own.special[i], abs(i - asked), i))


def opening_pair() -> tuple[int, int]:
    """The last word that stands twice, and its first twin; else the first two tokens that were typed."""
    typed = [i for i, special in enumerate(own.special) if not special]
    typed = typed if len(typed) > 1 else list(range(len(own.tokens)))
    twins = [(a, b) for b in reversed(typed) for a in typed if a < b and own.ids[a] == own.ids[b]]
    return twins[0] if twins else (typed[0], typed[min(1, len(typed) - 1)])


page = current()
own = view_of(page)
question = louder(own)
veiled = ask.is_open(page, question)
VEIL = [question.row] if veiled and question else []
OPENING, PAIR = opening_token(), opening_pair()
SWITCHES = switches()
switched = page.address.read(SWITCHES)
EDITS = changes(page.model, sqrt=switched["sqrt"] == "on", positions=switched["positions"] == "on")
ADDED = switched["join"] == "add"
MOVED = bool(EDITS) or not ADDED  # whether any switch stands otherwise than in the model
OTHER = changes(
    page.model, sqrt=not multiplies(page.model), positions=True
)  # the one change to show where none is made
now, other = view_of(page, EDITS), view_of(page, OTHER)
SHOWN = now if MOVED else other  # beside the model's own
attention_own, attention_now = attention_of(page), attention_of(page, EDITS if MOVED else OTHER)
MOST = cached.remember(
    ("input moved", page.address.model, page.text, *(edit.id for edit in (EDITS if MOVED else OTHER))),
    lambda: most_moved(attention_own, attention_now),
)
REST = parameters(OPENING, MOST.head + 1)
TABLE = {**SWITCHES, **REST}
values = {**switched, **page.read(REST)}
page.selection = dict(values)
page.strip = Strip(first="pos", second="k", click="pos")


# ---- the picture: parts that add up


def seen(array: np.ndarray, *axes: int) -> np.ndarray:
    """An array as it may be shown: the asked token is not in it, along any of these axes."""
    if not VEIL:
        return array
    array = array.astype(np.float32)
    for axis in axes:
        np.moveaxis(array, axis, 0)[VEIL] = np.nan
    return array


def window(most: int = ROWS) -> slice:
    """The tokens shown: all of a short sentence, else those around the selected one."""
    n = len(own.tokens)
    first = max(0, min(n - most, int(values["pos"]) - most // 2))
    return slice(first, min(n, first + most))


def panel_name(name: str) -> str:
    if name == "token":
        return page.t("parts.scaled" if now.scaled else "parts.token")
    if name == "position":
        return page.t("parts.position" if now.placed else "parts.no_position")
    return page.t(f"parts.{name}")


def addition() -> bytes:
    part, t = window(), page.t
    shown = [*now.names, "sum" if ADDED else "joined"]
    arrays = [seen(now.joined() if name == "joined" else now.part(name), 0)[part] for name in shown]
    norms = [np.full(part.stop - part.start, np.nan) if veiled else now.norms(name)[part] for name in shown]
    panels = [
        {
            "id": name,
            "name": panel_name(name),
            "short": t(f"parts_short.{name}"),
            "sign": "=" if i == len(now.names) else ("+" if ADDED else ";") if i else "",
            "joined": name == "joined",
            "width": arrays[i].shape[1],
            "norms": [None if np.isnan(x) else round(float(x), 6) for x in norms[i]],
        }
        for i, name in enumerate(shown)
    ]
    n, count = len(own.tokens), part.stop - part.start
    facts = {"count": count, "n": n, "d_model": own.d_model, "width": grouped(own.d_model * len(now.names))}
    header = {
        "made": {name: str(switched[name]) for name in SWITCHES},
        "from": part.start,
        "of": n,
        "labels": page.tokens[part],
        "parts": now.names,
        "panels": panels,
        "d_model": own.d_model,
        "reach": float(np.quantile(np.abs(now.part("sum")), 0.995)),
        "longest": 1.0 if veiled else float(max(x.max() for x in norms)) or 1.0,
        "words": {
            "label": t("picture_label"),
            "dim": t("matrix.dim"),
            "veiled": t("matrix.veiled"),
            "caption": t("caption_add" if ADDED else "caption_join", **facts)
            + (t("caption_veiled") if veiled else "")
            + (t("caption_window", **facts) if n > count else ""),
        },
    }
    return components.pack(header, *arrays)


def controls() -> dict:
    t, alone = page.t, {"k": None, "look": None}
    switch = [("on", t("on")), ("off", t("off"))]
    return {
        "controls": [
            {"name": "sqrt", "label": t("sqrt"), "options": switch, "also": alone},
            {"name": "positions", "label": t("positions"), "options": switch, "also": alone},
            {"name": "join", "label": t("join"), "options": [(id, t(f"joins.{id}")) for id in ("add", "concat")]},
        ]
    }


# ---- the number being followed


def derivation_data(chosen: dict) -> dict:
    position, other = int(chosen["pos"]), chosen["k"]
    if other is not None and chosen["look"]:
        return weight_data(str(chosen["look"]), int(chosen["head"]), position, int(other))
    if other is not None:
        return pair_data(str(chosen["side"]), position, int(other), chosen)
    return cell_data(str(chosen["part"]), position, int(chosen["dim"]))


def hidden(where: str, id: str) -> dict:
    step = {"operation": page.t("matrix.veiled"), "value": "", "reason": page.t("veiled_step")}
    return {"id": id, "title": page.t("follow"), "value": page.t("matrix.veiled"), "where": where, "steps": [step]}


def cell_data(part: str, position: int, dim: int) -> dict:
    if part == "sum" and not ADDED:
        part = "token"
    name = page.t(f"parts_short.{part}")
    where, id = page.t("follow_cell", part=name, token=page.name(position), dim=dim), f"{part}/{position}/{dim}"
    if position in VEIL:
        return hidden(where, id)
    derivation = derive_cell(now, part, position, dim)
    steps = follow.lines(page.t, derivation, token=page.tokens[position], position=position, dim=dim)
    if not ADDED:
        steps.append(column_line(part, dim))
    return {"id": id, "where": where, **headline(derivation.captured), "steps": steps}


def column_line(part: str, dim: int) -> dict:
    """Where the number stands when the parts lie side by side."""
    column, facts = now.names.index(part) * own.d_model + dim, {"d_model": own.d_model, "parts": len(now.names)}
    said = {"operation": page.t("steps.column.operation", part=page.t(f"parts_short.{part}"), dim=dim)}
    return {**said, "value": str(column), "reason": page.t("steps.column.reason", **facts)}


def pair_data(side: str, a: int, b: int, chosen: dict) -> dict:
    """The cosine of a pair: in the model's own vectors, as switched, before dropout or after it."""
    view, kind = compared(side, str(chosen["of"]), chosen)
    names = {"a": page.name(a), "b": page.name(b)}
    where = page.t("follow_pair", kind=page.t(f"kinds.{kind}"), which=side_name(side), **names)
    id = f"{side}/{kind}/{a}/{b}"
    if a in VEIL or b in VEIL:
        return hidden(where, id)
    derivation = derive_pair(view, kind, a, b)
    steps = follow.lines(page.t, derivation, **names)
    return {"id": id, "where": where, **headline(derivation.captured), "steps": steps}


def compared(side: str, kind: str, chosen: dict) -> tuple[InputView, str]:
    """Whose vectors are compared on one side, and as what."""
    if side in ("own", "now"):
        return (own, kind) if side == "own" else (SHOWN, "joined" if kind == "sum" and not ADDED else kind)
    if side == "before" or chosen["mode"] == "evaluation":
        return now, "output"
    return replace(now, output=after_dropout(float(chosen["rate"]), int(chosen["seed"]))[0]), "output"


def side_name(side: str) -> str:
    """One side in words; while no switch is moved, the other side has √d the other way round."""
    if side == "now":
        return page.t("looks.now") if MOVED else other_name()
    return page.t("looks.own" if side == "own" else f"looks.{side}")


def weight_data(which: str, head: int, q: int, k: int) -> dict:
    """A weight of the first layer's attention, as the model is or as switched."""
    names = {"row": page.name(q), "column": page.name(k)}
    derivation = derive_attention(looked(which), "weights", head - 1, q, k)
    where = page.t("follow_weight", which=side_name(which), head=head, **names)
    steps = follow.lines(page.t, derivation, **names)
    return {"id": f"{which}/{head}/{q}/{k}", "where": where, **headline(derivation.captured), "steps": steps}


def looked(which: str) -> AttentionView:
    return attention_own if which == "own" else attention_now


def headline(value: float) -> dict:
    return {"title": page.t("follow"), "value": short(value), "exact": exact(value)}


# ---- what the switches do: norms, shares, cosines


def table(rows: Sequence[Sequence[object]], heads: Sequence[object] = ()) -> str:
    """Labels left, numbers right."""
    cells = lambda tag, row: "".join(f"<{tag}>{html.escape(written(x))}</{tag}>" for x in row)  # noqa: E731
    head = f"<tr>{cells('th', heads)}</tr>" if heads else ""
    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<div class='shapes-box'><table class='shapes sums'>{head}{body}</table></div>"


def written(x: object) -> str:
    return short(x) if isinstance(x, float) else str(x)


def effects() -> None:
    """The model as it is, and as switched; while no switch is moved, with √d the other way round."""
    t, (a, b), sides = page.t, PAIR, (own, SHOWN)
    rows = [[t(f"effects.{name}"), *(veil_or(measure(view)) for view in sides)] for name, measure in MEASURES]
    if len(own.tokens) > 1 and own.special[0] and own.learned:
        rows.append([t("effects.share_rest", first=page.name(0)), *(veil_or(rest_share(view)) for view in sides)])
    alike = [unless_asked(cosines_of(side, "sum")[a, b]) for side in ("own", "now")]
    rows.append([t("effects.cosine", a=page.name(a), b=page.name(b)), *alike])
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        write(table(rows, ["", t("effects.own"), side_name("now") if not MOVED else t("effects.now")]))
    with right:
        write(paragraph("effects_said"), *pairs_said("effects_pairs", "own", "now"))
    components.controls(key="kinds", data=kind_control())
    beside("cosines_own", cosines("own"), "cosines", cosines("now"))


def pairs_said(key: str, first: str, second: str) -> list[str]:
    """What lies between two matrices of cosines: of the sums, or of what takes their place."""
    found = apart(*(seen(cosines_of(side, "sum"), 0, 1) for side in (first, second)))
    if found is None:
        return []
    names = {"a": page.name(found.a), "b": page.name(found.b), "which": side_name(second)}
    means = {"pairs": grouped(found.pairs), "before": found.before, "after": found.after}
    return [paragraph(key, was=found.was, now=found.now, **means, **names)]


def beside(first: str, left_data: bytes, second: str, right_data: bytes) -> None:
    """Two matrices of the same tokens, side by side."""
    for place, key, data in zip(st.columns(2, gap="large"), (first, second), (left_data, right_data), strict=True):
        with place:
            components.matrix(key=key, data=data, on_selection_change=state.selecting(key, TABLE))


def other_name() -> str:
    return page.t("effects.without" if multiplies(page.model) else "effects.with")


def veil_or(value: float) -> object:
    return page.t("matrix.veiled") if veiled else value


def unless_asked(value: float) -> object:
    """A number of the pair, kept back where the question is about one of the two."""
    return page.t("matrix.veiled") if set(PAIR) & set(VEIL) else float(value)


def rest_share(view: InputView) -> float:
    return view.share(range(1, len(view.tokens)))


MEASURES = (
    ("token", lambda view: float(view.norms("token").mean())),
    ("position", lambda view: float(view.norms("position").mean())),
    ("entering", lambda view: float(view.norms("sum" if view is own or ADDED else "joined").mean())),
    ("share", lambda view: view.share()),
)


def cosines(side: str) -> bytes:
    """How alike the tokens are on one side; both sides have one colour scale."""
    part, dropped = window(SQUARE), side in ("before", "after")
    kinds = ("output",) if dropped else COMPARED
    name = side_name(side)
    name = name[:1].upper() + name[1:]
    n, count = len(own.tokens), part.stop - part.start
    cut = page.t("caption_window", count=count, n=n) if n > count else ""
    captions = {kind: f"{name}{page.t('cosines.colon')}{kind_said(side, kind)}{cut}" for kind in COMPARED}
    axis = {"labels": page.tokens[part], "count": count, "from": part.start, "word": ""}
    header = {
        "name": [] if dropped else ["of"],
        "planes": [""] if dropped else kinds,
        "rows": {**axis, "param": "pos"},
        "columns": {**axis, "param": "k"},
        "reachBy": "of",
        "reach": 1,
        "signed": True,
        "tall": 300,
        "also": {"look": None, "side": side},
        "words": words("cosines_label", captions=captions) | ({} if VEIL else {"veiled": page.t("cosines.none")}),
    }
    return components.pack(header, *[seen(cosines_of(side, kind), 0, 1)[part, part] for kind in kinds])


def kind_said(side: str, kind: str) -> str:
    """What a matrix of cosines compares."""
    if side in ("before", "after"):
        return page.t(f"cosines.{side}")
    if side == "now" and not ADDED and kind != "token":
        return page.t("cosines.joined" if kind == "sum" else "cosines.not_joined")
    return page.t(f"cosines.{kind}")


def cosines_of(side: str, kind: str) -> np.ndarray:
    """[token, token]: of the vectors of one side. NaN where nothing of a token is left."""
    view, kind = compared(side, kind, chosen_for(side))
    with np.errstate(invalid="ignore"):
        return cached.remember(("input cosines", *made_by(side), kind), lambda: view.cosines(kind))


def chosen_for(side: str) -> dict:
    """What is set; dropout's own controls rerun their fragment alone, so there the address is asked anew."""
    return values if side in ("own", "now") else state.Address().read(TABLE)


def made_by(side: str) -> tuple:
    """All that decides the vectors of one side."""
    edits = () if side == "own" else EDITS if MOVED or side != "now" else OTHER
    chosen = chosen_for(side)
    drop = (chosen["rate"], chosen["seed"]) if side == "after" and chosen["mode"] == "training" else ()
    return page.address.model, page.text, *(edit.id for edit in edits), *drop


def words(label: str, **more: object) -> dict:
    shared = {name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    return {"label": page.t(label), **shared, **more}


def kind_control() -> dict:
    name = lambda kind: "either" if kind == "sum" and not ADDED else kind  # noqa: E731
    options = [(kind, page.t(f"kinds.{name(kind)}")) for kind in COMPARED]
    return {"controls": [{"name": "of", "label": page.t("compare"), "options": options, "also": {"look": None}}]}


# ---- downstream: the first layer's attention, the translation


def weights(which: str) -> bytes:
    view, n = looked(which), len(own.tokens)
    heads = range(1, view.heads + 1)
    if n * n * 4 * view.heads > STACK:
        heads = (int(values["head"]),)
    header = {
        "name": ["head"],
        "planes": [str(head) for head in heads],
        "rows": {"param": "pos", "labels": page.tokens, "count": n, "from": 0, "word": ""},
        "columns": {"param": "k", "labels": page.tokens, "count": n, "from": 0, "word": ""},
        "reach": 1,
        "tall": 300,
        "also": {"look": which},
        "words": words("weights_label", caption=weights_caption(which)),
    }
    return components.pack(header, *[view.weights[head - 1] for head in heads])


def weights_caption(which: str) -> str:
    return page.t(f"weights.{which}", other=side_name("now"))


def head_control() -> dict:
    options = [(i, str(i)) for i in range(1, page.model.config.heads + 1)]
    return {"controls": [{"name": "head", "label": page.t("head"), "options": options, "stepper": "always"}]}


def downstream() -> None:
    pieces = [part("downstream")]
    if not ADDED:
        pieces.append(paragraph("downstream_join"))
    if not MOVED:
        pieces.append(paragraph("downstream_none", other=other_name()))
    if MOST.before != MOST.after:
        names = {"row": page.name(MOST.row), "column": page.name(MOST.column), "head": MOST.head + 1}
        facts = {"before": MOST.before, "after": MOST.after, "mean": MOST.mean}
        pieces.append(paragraph("downstream_moved", **facts, **names))
    if own.text_out is not None:
        text_out = SHOWN.text_out
        moved = "translation_other" if MOVED else "translation_would"
        key = "translation_same" if own.text_out == text_out else moved
        nothing = page.t("translation_nothing")
        pieces.append(paragraph(key, before=own.text_out or nothing, after=text_out or nothing, other=side_name("now")))
    write(*pieces)
    components.controls(key="heads", data=head_control())
    beside("weights_own", weights("own"), "weights_now", weights("now"))


# ---- why √d


@st.fragment
def why() -> None:
    """A table as training finds it, for three widths and one of the visitor's own."""
    if veiled:  # norms of tokens and positions would answer the question
        return write(part("why"), paragraph("why_veiled"))
    chosen, t = int(state.Address().read(TABLE)["width"]), page.t
    write(part("why"), paragraph("why_norms", vocab="1,000", seed=0))
    st.session_state["width_in"] = chosen
    st.number_input(t("why_width"), 2, 2048, key="width_in", step=1, on_change=set_width, width=160)
    widths = list(dict.fromkeys([*WIDTHS, chosen]))
    starts = [cached.remember(("input start", d), lambda d=d: at_start(d)) for d in widths]
    rows = [[t(f"start.{name}"), *(getattr(s, name) for s in starts)] for name in STARTS]
    made, root = starts[widths.index(chosen)], math.sqrt(own.d_model)
    norm = float(np.linalg.norm(own.rows[0], axis=-1).mean())
    write(
        table(rows, ["", *(f"d = {d}" for d in widths)]),
        paragraph("why_tied", d_model=chosen, logits=made.logits, large=made.logits_large),
        paragraph("why_not", d_model=chosen, plain=made.scores_plain, scaled=made.scores_scaled),
        paragraph(
            "why_has" if multiplies(page.model) else "why_has_not",
            **{"model": page.model_name, "norm": norm, "root": root, "d_model": own.d_model},
        ),
    )


STARTS = ("token", "position", "share_plain", "share_scaled", "scores_plain", "scores_scaled", "logits", "logits_large")


def set_width() -> None:
    state.change(width=st.session_state["width_in"])


# ---- adding is concatenating with one W


def tied() -> None:
    token = OPENING
    made = cached.remember(
        ("one map", page.address.model, page.text, token, *(e.id for e in EDITS)),
        lambda: one_map(now, page.model, token),
    )
    d, parts = own.d_model, len(now.names)
    write(part("tied"), paragraph("tied_said", token=page.name(token), d_model=d, wide=grouped(parts * d)))
    st.latex(FORMULA_TIED[parts])
    heads = [
        page.t("tied.unit"),
        *(f"W {LETTERS[name]}" for name in now.names),
        page.t("tied.summed"),
        page.t("tied.of_sum"),
        page.t("tied.of_joined"),
    ]
    rows = [
        [str(i), *map(float, made.each[:, i]), float(made.summed[i]), float(made.of_sum[i]), float(made.of_joined[i])]
        for i in range(4)
    ]
    facts = {"units": d, "difference": made.difference, "shape": f"{made.wide[0]} × {made.wide[1]}"}
    sizes = {"narrow": f"{made.shape[0] * made.shape[1]:,}", "broad": f"{made.wide[0] * made.wide[1]:,}"}
    write(table(rows, heads), paragraph("tied_checked", **facts, **sizes))


LETTERS = {"token": "e", "position": "p", "segment": "s"}
FORMULA_TIED = {
    2: r"W(e + p) = We + Wp = \begin{bmatrix} W & W \end{bmatrix} \begin{bmatrix} e \\ p \end{bmatrix}",
    3: r"W(e + p + s) = We + Wp + Ws = \begin{bmatrix} W & W & W \end{bmatrix}"
    r"\begin{bmatrix} e \\ p \\ s \end{bmatrix}",
}


# ---- dropout


@st.fragment
def dropout() -> None:
    if state.pop("_dropped") and st.query_params.get("side") in ("before", "after"):
        st.rerun(scope="app")  # the number being followed is one of these
    chosen, t = state.Address().read(TABLE), page.t
    write(part("dropout"), paragraph("dropout_said", published=str(PUBLISHED_RATE)))
    with st.container(key="dropout_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name, value in (("mode", chosen["mode"]), ("rate", float(chosen["rate"])), ("seed", int(chosen["seed"]))):
            st.session_state[f"{name}_in"] = value
        modes = ("training", "evaluation")
        st.segmented_control(t("mode"), modes, key="mode_in", format_func=lambda id: t(f"modes.{id}"), required=True,
                             on_change=set_dropout, args=("mode",))  # fmt: skip
        st.number_input(t("rate"), 0.0, 1.0, key="rate_in", step=0.1, on_change=set_dropout, args=("rate",), width=130)
        st.number_input(
            t("seed"), 0, 2**32 - 1, key="seed_in", step=1, on_change=set_dropout, args=("seed",), width=150
        )
    training, rate, seed = chosen["mode"] == "training", float(chosen["rate"]), int(chosen["seed"])
    after = after_dropout(rate, seed) if training else before_dropout()
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        components.matrix(
            key="dropout", data=dropout_picture(after[0]), on_selection_change=state.selecting("dropout", TABLE)
        )
    with right:
        dropout_numbers(after, rate, training)
    if training and rate == 1:
        return
    write(paragraph("dropout_cosines"), *pairs_said("dropout_pairs", "before", "after"))
    beside("cosines_before", cosines("before"), "cosines_after", cosines("after"))


def dropout_picture(after: np.ndarray) -> bytes:
    part = window()
    rows = seen(after, 0)[part]
    header = {
        "name": [],
        "planes": [""],
        "rows": {"param": "pos", "labels": page.tokens[part], "count": len(rows), "from": part.start, "word": ""},
        "columns": {"param": "dim", "labels": None, "count": own.d_model, "from": 0, "word": page.t("matrix.dim")},
        "reach": float(np.quantile(np.abs(now.output), 0.995)),
        "tall": 16 * len(rows),
        "also": {"k": None, "look": None},
        "words": words("dropout_label", caption=page.t("dropout_caption")),
    }
    return components.pack(header, rows)


def before_dropout() -> np.ndarray:
    """[1 + part, token, d_model]: what enters the first layer, and the parts it was made of."""
    return np.stack([now.output, *now.parts])


def after_dropout(rate: float, seed: int) -> np.ndarray:
    key = "input dropped", page.address.model, page.text, rate, seed, *(edit.id for edit in EDITS)
    return cached.remember(key, lambda: dropped(before_dropout(), rate, seed))


def dropout_numbers(after: np.ndarray, rate: float, training: bool) -> None:
    t, (a, b), cell = page.t, PAIR, float(now.output[OPENING, 0])
    stages = now.output, after[0]
    rows = [
        [t("dropped.zeros"), *(float((x == 0).mean()) for x in stages)],
        [t("dropped.norm"), *(veil_or(float(np.linalg.norm(x, axis=-1).mean())) for x in stages)],
        [t("dropped.share"), *(veil_or(view.share()) for view in (now, replace(now, parts=after[1:])))],
        [t("dropped.pair", a=page.name(a), b=page.name(b)), *(unless_asked(cosine(x[a], x[b])) for x in stages)],
        [t("dropped.self", token=page.name(OPENING)), *(cosine(now.output[OPENING], x[OPENING]) for x in stages)],
    ]
    facts = {"draws": f"{DRAWS:,}", "token": page.name(OPENING), "mean": mean_of_draws(cell, rate), "cell": cell}
    key = "dropout_off" if not training else "dropout_mean" if rate < 1 else "dropout_all"
    write(table(rows, ["", t("dropped.before"), t("dropped.after")]), paragraph(key, **facts))


def mean_of_draws(cell: float, rate: float) -> float:
    """The mean of one number over as many draws: dropping and growing leave it where it was, on average."""
    return float(dropped(np.full(DRAWS, cell, np.float64), rate, 1).mean())


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else math.nan


def set_dropout(name: str) -> None:
    st.session_state["_dropped"] = True
    state.change(**{name: st.session_state[f"{name}_in"]})


# ---- shapes, the function of the notes, the flow


def shapes() -> None:
    run: Pipeline = cached.remember(("pipeline",), pipeline)
    rows = "".join(
        f"<tr><td>{page.t.html(f'stops.{stop.name}')}</td><td><pre>{html.escape(stop.code)}</pre></td>"
        f"<td>{' × '.join(map(str, stop.array.shape))}<br>{numbers(stop.array)}</td></tr>"
        for stop in run.stops
    )
    position, added = run.stop("position").array, run.stop("total").array
    sizes = {"own": f"{position.nbytes:,}", "whole": f"{added.nbytes:,}", "stride": str(run.stride)}
    write(
        part("pipeline"),
        paragraph("pipeline_said"),
        f"<div class='shapes-box'><table class='shapes lines'>{rows}</table></div>",
        paragraph("pipeline_broadcast", batch=added.shape[0], **sizes),
        paragraph("pipeline_refused", refused=run.refused),
    )


def numbers(array: np.ndarray) -> str:
    """The first of a tensor's numbers."""
    first = array.reshape(-1, array.shape[-1])[0, :3]
    said = ", ".join(str(x) if array.dtype.kind == "i" else short(float(x)) for x in first)
    return html.escape(f"[{said}{', …' if array.shape[-1] > len(first) else ''}]")


@st.fragment
def twice() -> None:
    """The function of the notes called twice, beside the module called twice."""
    t = page.t
    write(part("twice"), paragraph("twice_said"))
    if "twice" not in st.session_state or st.session_state.pop("again", False):
        st.session_state["twice"] = calls()
    function, module = st.session_state["twice"]
    left, right = st.columns([1, 1.2], gap="large")
    for place, name, results, code in (
        (left, "function", function, input_part.transformer_input),
        (right, "module", module, input_part.TransformerInput),
    ):
        with place:
            difference = float(np.abs(results[0] - results[1]).max())
            rows = [[t("twice.call", number=i + 1), *map(float, result[0, 0, :4])] for i, result in enumerate(results)]
            write(paragraph(f"twice_{name}", difference=difference), table(rows))
            st.code(source(code), language="python", wrap_lines=True)
    st.button(t("twice.again"), key="again", type="tertiary")


def calls() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """[two calls of the function], [two calls of the module], on the same ids."""
    import torch

    ids, vocab, d_model = torch.tensor(NOTES[0]), *NOTES[1:]
    module = input_part.TransformerInput(vocab, d_model).eval()
    with torch.no_grad():
        function = [input_part.transformer_input(ids, vocab, d_model).numpy() for _ in range(2)]
        return function, [module(ids).numpy() for _ in range(2)]


def flow() -> None:
    """What comes before and after, each box a door."""
    t, n, d = page.t, len(own.tokens), own.d_model
    write(part("flow"))
    with st.container(key="flow", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key="flow_before", width="content", gap="small"):
            with st.container(key="flow_token", horizontal=True, vertical_alignment="center", gap="small"):
                page.link("tokens", f"{t('stages.tokens')} · {n} × id")
                arrow("→")
                page.link("embedding", f"{t('stages.embedding')} · {n} × {d}")
                if multiplies(page.model):
                    arrow(f"→ · √{d}")
            page.link("position", f"{t('stages.position')} · {n} × {d}")
            if "segment" in own.names:
                st.html(f"<span class='box'>{t.html('flow_segment')} · {n} × {d}</span>", width="content")
        arrow("→ + →")
        if "segment" in own.names:
            page.link("layernorm", f"{t('stages.layernorm')} · {n} × {d}")
            arrow("→")
        st.html(f"<span class='box'>{t.html('flow_dropout')}</span>", width="content")
        arrow("→")
        page.link("attention", f"{t('stages.attention')} · {n} × {d}")
    write(paragraph("flow_both" if multiplies(page.model) else "flow_bert"), paragraph("flow_batch"), batch_of_two())
    for piece in (input_part.BertInput if "segment" in own.names else input_part.TransformerInput,
                  input_part.padding_mask):  # fmt: skip
        st.code(source(piece), language="python", wrap_lines=True)
    st.download_button(t("take"), whole_file, "transformer_input.py", "text/x-python", key="take", on_click="ignore")


def batch_of_two() -> str:
    """The sentence, its first tokens at least, with its first half beneath it, filled up; and the mask of both."""
    import torch

    pad = page.model.tokenizer.pad_id
    names, ids = page.tokens[:ROWS], own.ids[:ROWS]
    half = (len(ids) + 1) // 2
    batch = torch.tensor([ids, [*ids[:half], *[pad] * (len(ids) - half)]])
    mask = input_part.padding_mask(batch, pad)[:, 0, 0].int().tolist()
    tokens = [names, [*names[:half], *["[PAD]"] * (len(ids) - half)]]
    rows = [row for i in (0, 1) for row in ([page.t("flow_text", number=i + 1), *tokens[i]], ["mask", *mask[i]])]
    return table(rows)


def whole_file() -> str:
    return inspect.getsource(input_part)


def arrow(sign: str) -> None:
    st.html(f"<span class='soft arrow'>{sign}</span>", width="content")


def part(title: str) -> str:
    return f"<h2 class='part'>{page.t.html(f'titles.{title}')}</h2>"


def paragraph(key: str, **facts: object) -> str:
    return f"<p class='said'>{page.t.html(key, **facts)}</p>"


def write(*pieces: str) -> None:
    """Headings, paragraphs and tables that follow each other, as one element: each costs time on every run."""
    st.html("".join(pieces))


# ---- the words


def lead() -> None:
    facts = {"token": page.name(OPENING), "d_model": own.d_model}
    if veiled:
        return page.title("lead_open", more=page.t("and_segment") if len(now.names) > 2 else "", **facts)
    i = OPENING
    lengths = {"token_norm": float(now.norms("token")[i]), "position_norm": float(now.norms("position")[i])}
    page.title(
        "lead" if ADDED else "lead_join",
        share=float(now.shares()[i]),
        wide=grouped(own.d_model * len(now.names)),
        more=page.t("and_segment") if len(now.names) > 2 else "",
        **lengths,
        **facts,
    )


def notices() -> list[str]:
    """What the sums of this sentence show; while the question is open, nothing that answers it."""
    t, (a, b) = page.t, PAIR
    said = []
    if not veiled:
        said.append(share_notice())
    if own.ids[a] == own.ids[b] and a != b and not set(PAIR) & set(VEIL):
        pair = {"a": page.name(a), "b": page.name(b)}
        cosines = {kind: own.cosine(kind, a, b) for kind in ("token", "sum", "output")}
        said.append(t.html("notice.twins", **pair, **cosines))
    if "segment" in own.names:
        said.append(t.html("notice.segment", norm=float(own.norms("segment").mean())))
    said.append(t.html("notice.context"))
    return said


def share_notice() -> str:
    facts = {"share": own.share(), "other": other.share(), "d_model": own.d_model}
    if multiplies(page.model):
        return page.t.html("notice.share_scaled", **facts)
    first = {"first": page.name(0), "rest": rest_share(own), "norm": float(own.norms("position")[0])}
    return page.t.html("notice.share_plain", **facts, **first)


def attempt() -> tuple[str, dict]:
    setting = "off" if switched["sqrt"] == "on" else "on"
    usual = setting == SWITCHES["sqrt"].default
    return page.t(f"notice.try_{setting}"), {"sqrt": None if usual else setting, "positions": None, "join": None}


def opened() -> Opened:
    chosen = state.Address().read(TABLE)
    shown = now.joined() if not ADDED else now.part(str(chosen["part"]))
    taps_shown = [name for name in page.model.tap_dims if name.startswith("embedding.")]
    run = cached.capture(page.address.model, page.text, only=TAPS, edits=EDITS)
    return Opened(
        formula=formula(int(chosen["pos"]), int(chosen["dim"])),
        code=(
            type(page.model.network.get_submodule("embedding")), InputView.shares, InputView.joined, one_map, dropped,
        ),
        shapes=[(name, run.dims(name), run[name].shape) for name in taps_shown],
        compare=lambda: (page.t("compared.input"), compare.input_difference(page.address.model, page.text)),
        compared="open.compared" if own.learned else "compared.torch",
        table=lambda: csv(seen(shown, 0), page.tokens, [str(i) for i in range(shown.shape[1])]),
        table_name=f"input-{'joined' if not ADDED else chosen['part']}.csv",
        captured=not veiled,
    )  # fmt: skip


def formula(token: int, dim: int) -> str:
    """The sum in general and, under it, the numbers of the selected token and dimension."""
    root = r"\sqrt{d}\," if now.scaled else ""
    general = rf"x_{{k}} = {root}E_{{t_k}} + p_{{k}}" + (" + s_{k}" if len(now.names) == 3 else "")
    share = r"\frac{\lVert p\rVert^2}{\lVert p\rVert^2 + \lVert e\rVert^2}"
    if token in VEIL:
        return rf"\begin{{aligned}} & {general} \\ & {share} \end{{aligned}}"
    numbers = " + ".join(f"({short(float(x))})" for x in now.parts[:, token, dim])
    e, p = (short(float(now.norms(name)[token])) for name in ("token", "position"))
    ratio = rf"{share} = \frac{{{p}^2}}{{{p}^2 + {e}^2}} = {short(float(now.shares()[token]))}"
    cell = rf"x_{{{token},{dim}}} = {numbers} = {short(float(now.total[token, dim]))}"
    return rf"\begin{{aligned}} & {general} \\ & {cell} \\ & {ratio} \end{{aligned}}"


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=("part", "pos", "dim", "k", "look"))
components.controls(key="controls", data=controls())
left, right = st.columns([1.25, 1], gap="large")
with left:
    components.addition(key="addition", data=addition(), on_selection_change=state.selecting("addition", TABLE))
with right:
    follow.follow(page, TABLE, derivation_data)
page.notice(notices(), attempt())
write(part("effects"))
effects()
downstream()
page.sections(values["section"], dict(zip(SECTIONS, (why, tied, dropout, shapes, twice, flow), strict=True)))
open_it(page, opened)
page.next_stop()
