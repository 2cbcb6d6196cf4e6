"""Input: the token's vector and the position's become one by adding, and √d decides whose voice is heard."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.attention import derive as derive_attention
from core.derivation.input import derive_cell, derive_pair
from core.edits import Edit
from core.questions.input import louder
from core.views.attention import AttentionView, attention_view, taps
from core.views.input import TAPS, InputView, changes, dropped, input_view, most_moved, multiplies, one_map
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, grouped, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current
from pages.shared.state import Parameter, choice, whole
from pages.stages import input_dropout, input_why
from pages.stages.input_code import flow, shapes, twice
from pages.stages.input_dropout import drop_of, dropout
from pages.stages.input_pieces import paragraph, part, table, write
from pages.stages.input_sides import COMPARED, SIDES, Sums, beside, cosine_matrix, matrix_words, pairs_said
from pages.stages.input_why import tied, why

STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for
SECTIONS = ("why", "tied", "dropout", "shapes", "twice", "flow")


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
        **input_dropout.PARAMETERS,
        **input_why.PARAMETERS,
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
OTHER = changes(page.model, sqrt=not multiplies(page.model), positions=True)  # the one to show where none is made
now, other = view_of(page, EDITS), view_of(page, OTHER)
SHOWN, SHOWN_EDITS = (now, EDITS) if MOVED else (other, OTHER)  # beside the model's own
attention_own, attention_now = attention_of(page), attention_of(page, SHOWN_EDITS)
MOST = cached.remember(
    ("input moved", page.address.model, page.text, *(edit.id for edit in SHOWN_EDITS)),
    lambda: most_moved(attention_own, attention_now),
)
REST = parameters(OPENING, MOST.head + 1)
TABLE = {**SWITCHES, **REST}
values = {**switched, **page.read(REST)}
page.selection = dict(values)
page.strip = Strip(first="pos", second="k", click="pos")
sums = Sums(
    page=page, table=TABLE, own=own, now=now, shown=SHOWN, edits=EDITS, shown_edits=SHOWN_EDITS, added=ADDED,
    moved=MOVED, veil=VEIL, selected=int(values["pos"]), opening=OPENING, pair=PAIR,
)  # fmt: skip


# ---- the picture: parts that add up


def panel_name(name: str) -> str:
    if name == "token":
        return page.t("parts.scaled" if now.scaled else "parts.token")
    if name == "position":
        return page.t("parts.position" if now.placed else "parts.no_position")
    return page.t(f"parts.{name}")


def addition() -> bytes:
    part, t = sums.window(), page.t
    shown = [*now.names, "sum" if ADDED else "joined"]
    arrays = [sums.seen(now.joined() if name == "joined" else now.part(name), 0)[part] for name in shown]
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
    view, kind = sums.compared(side, str(chosen["of"]), drop_of(chosen))
    names = {"a": page.name(a), "b": page.name(b)}
    where = page.t("follow_pair", kind=page.t(f"kinds.{kind}"), which=sums.side_name(side), **names)
    id = f"{side}/{kind}/{a}/{b}"
    if a in VEIL or b in VEIL:
        return hidden(where, id)
    derivation = derive_pair(view, kind, a, b)
    steps = follow.lines(page.t, derivation, **names)
    return {"id": id, "where": where, **headline(derivation.captured), "steps": steps}


def weight_data(which: str, head: int, q: int, k: int) -> dict:
    """A weight of the first layer's attention, as the model is or as switched."""
    names = {"row": page.name(q), "column": page.name(k)}
    derivation = derive_attention(looked(which), "weights", head - 1, q, k)
    where = page.t("follow_weight", which=sums.side_name(which), head=head, **names)
    steps = follow.lines(page.t, derivation, **names)
    return {"id": f"{which}/{head}/{q}/{k}", "where": where, **headline(derivation.captured), "steps": steps}


def looked(which: str) -> AttentionView:
    return attention_own if which == "own" else attention_now


def headline(value: float) -> dict:
    return {"title": page.t("follow"), "value": short(value), "exact": exact(value)}


# ---- what the switches do: norms, shares, cosines


def effects() -> None:
    """The model as it is, and as switched; while no switch is moved, with √d the other way round."""
    t, (a, b), sides = page.t, PAIR, (own, SHOWN)
    rows = [[t(f"effects.{name}"), *(sums.veil_or(measure(view)) for view in sides)] for name, measure in MEASURES]
    if len(own.tokens) > 1 and own.special[0] and own.learned:
        rows.append([t("effects.share_rest", first=page.name(0)), *(sums.veil_or(rest_share(view)) for view in sides)])
    alike = [sums.unless_asked(sums.cosines(side, "sum")[a, b]) for side in ("own", "now")]
    rows.append([t("effects.cosine", a=page.name(a), b=page.name(b)), *alike])
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        write(table(rows, ["", t("effects.own"), sums.side_name("now") if not MOVED else t("effects.now")]))
    with right:
        write(paragraph(t, "effects_said"), *pairs_said(sums, "effects_pairs", "own", "now"))
    components.controls(key="kinds", data=kind_control())
    beside(TABLE, "cosines_own", cosine_matrix(sums, "own"), "cosines", cosine_matrix(sums, "now"))


def rest_share(view: InputView) -> float:
    return view.share(range(1, len(view.tokens)))


MEASURES = (
    ("token", lambda view: float(view.norms("token").mean())),
    ("position", lambda view: float(view.norms("position").mean())),
    ("entering", lambda view: float(view.norms("sum" if view is own or ADDED else "joined").mean())),
    ("share", lambda view: view.share()),
)


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
        "words": matrix_words(page, "weights_label", caption=weights_caption(which)),
    }
    return components.pack(header, *[view.weights[head - 1] for head in heads])


def weights_caption(which: str) -> str:
    return page.t(f"weights.{which}", other=sums.side_name("now"))


def head_control() -> dict:
    options = [(i, str(i)) for i in range(1, page.model.config.heads + 1)]
    return {"controls": [{"name": "head", "label": page.t("head"), "options": options, "stepper": "always"}]}


def downstream() -> None:
    t, pieces = page.t, [part(page.t, "downstream")]
    if not ADDED:
        pieces.append(paragraph(t, "downstream_join"))
    if not MOVED:
        pieces.append(paragraph(t, "downstream_none", other=sums.other_name))
    if MOST.before != MOST.after:
        names = {"row": page.name(MOST.row), "column": page.name(MOST.column), "head": MOST.head + 1}
        facts = {"before": MOST.before, "after": MOST.after, "mean": MOST.mean}
        pieces.append(paragraph(t, "downstream_moved", **facts, **names))
    if own.text_out is not None:
        text_out = SHOWN.text_out
        moved = "translation_other" if MOVED else "translation_would"
        key = "translation_same" if own.text_out == text_out else moved
        nothing, named = t("translation_nothing"), {"other": sums.side_name("now")}
        pieces.append(paragraph(t, key, before=own.text_out or nothing, after=text_out or nothing, **named))
    write(*pieces)
    components.controls(key="heads", data=head_control())
    beside(TABLE, "weights_own", weights("own"), "weights_now", weights("now"))


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
        table=lambda: csv(sums.seen(shown, 0), page.tokens, [str(i) for i in range(shown.shape[1])]),
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
write(part(page.t, "effects"))
effects()
downstream()
parts = (
    lambda: why(sums),
    lambda: tied(sums),
    lambda: dropout(sums),
    lambda: shapes(page),
    lambda: twice(page),
    lambda: flow(page, own),
)
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
