"""Embedding: an id names a row of the table, and the row is fetched."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.embedding import derive_cell, derive_entry, derive_pair
from core.model.embedding import BertEmbedding, TransformerEmbedding
from core.questions.embedding import after_lookup
from core.views.embedding import KINDS, TAPS, EmbeddingView, averaged, embedding_view
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current
from pages.shared.state import choice, whole

WINDOW = 9  # rows of the table around the one that is fetched
ROWS = 16  # rows of the output that are shown at once
BLOCKS = 56, 128  # of a long output, shown whole
STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for
MOST = 1_000_000, 65_536  # the largest vocabulary and width to calculate with
OLD_NOTES = "cat", 5431  # the id some lecture notes give "cat"; this vocabulary has another piece there


def view_of(page: Page) -> EmbeddingView:
    name, text = page.address.model, page.text
    make = lambda: embedding_view(cached.capture(name, text, only=TAPS), page.model)  # noqa: E731
    return cached.remember(("embedding", name, text), make)


def parameters(position: int) -> dict[str, state.Parameter]:
    token = whole(0, len(view.ids) - 1, position)
    return {
        "pos": token,
        "dim": whole(0, view.d_model - 1, int(np.abs(view.output[position]).argmax())),
        "row": replace(whole(0, view.vocab - 1, 0), default=None),
        "k": replace(token, default=None),
        "pair": choice(*KINDS, default="row"),
        "marks": choice("1", default=None),
        "vocab": whole(1, MOST[0], view.vocab),
        "width": whole(1, MOST[1], view.d_model),
        **OPEN,
    }


def opening_position() -> int:
    """The asked token; while the question is open, the nearest word that fetches another row."""
    if question is None:
        return next((i for i, special in enumerate(view.special) if not special), 0)
    asked = question.row
    if not veiled:
        return asked
    others = [i for i, id in enumerate(view.ids) if id != view.ids[asked]]
    return min(others, key=lambda i: (view.special[i], abs(i - asked), i))


def asked_rows() -> list[int]:
    """What the open question hides: the asked token and all its twins but the first, any two of which would answer."""
    if question is None:
        return []
    alike = sorted([question.row, *view.same(question.row)])
    return alike[1:] or alike


page = current()
view = view_of(page)
question = after_lookup(view)
veiled = ask.is_open(page, question)
VEIL = asked_rows() if veiled else []
OPENING = opening_position()
TABLE = parameters(OPENING)
values = page.read(TABLE)
page.strip = Strip(first="pos", second="k", click="pos")
summary = cached.table_summary(page.address.model)


# ---- the picture: rows of the table, and under them, dimension under dimension, the rows that were fetched


def seen(array: np.ndarray, *axes: int) -> np.ndarray:
    """An array as it may be shown: the asked token is not in it, along any of these axes."""
    if not VEIL:
        return array
    array = array.astype(np.float32)
    for axis in axes:
        np.moveaxis(array, axis, 0)[VEIL] = np.nan
    return array


def fetched() -> list[int | None]:
    """The row of each token; None where it must not be seen yet."""
    return [None if i in VEIL else id for i, id in enumerate(view.ids)]


def dimensions() -> dict:
    return {"param": "dim", "labels": None, "count": view.d_model, "from": 0, "word": page.t("matrix.dim")}


def windows_of_table() -> list[int]:
    """First rows of the windows: one around each fetched row where they fit, and one around a row chosen by hand."""
    rows = list(dict.fromkeys(row for row in fetched() if row is not None))
    if WINDOW * view.d_model * 4 * len(rows) > STACK:
        now = fetched()[int(values["pos"])]
        rows = [rows[0] if now is None else now]
    starts = [around(row) for row in rows]
    chosen = values["row"]
    if chosen is not None and not any(start <= int(chosen) < start + WINDOW for start in starts):
        starts.append(around(int(chosen)))
    return starts


def around(row: int) -> int:
    return max(0, min(view.vocab - WINDOW, row - WINDOW // 2))


def table() -> bytes:
    starts = windows_of_table()
    windows = [
        {"from": start, "labels": view.pieces[start : start + WINDOW], "ids": list(range(start, start + WINDOW))}
        for start in starts
    ]
    header = {
        "name": [],
        "planes": [str(i) for i in range(len(starts))],
        "rows": {
            "param": "row",
            "count": WINDOW,
            "word": "",
            "room": 8,
            "gutter": "one",
            "windows": windows,
            "follows": {"param": "pos", "rows": fetched()},
            **windows[0],
        },
        "columns": dimensions(),
        "whole": whole_of(summary.blocks, view.table.shape),
        "reach": summary.full,
        "tall": 15 * WINDOW,
        "legend": False,
        "also": {"k": None},
        "words": words(
            "table_label",
            gutter="x",
            whole=page.t("whole_table", vocab=f"{view.vocab:,}"),
            caption=page.t("table_caption"),
        ),
    }
    return components.pack(header, *[view.table[start : start + WINDOW] for start in starts], summary.blocks)


def output() -> bytes:
    n, rows = len(view.ids), seen(view.output, 0)
    count = min(n, ROWS)
    starts = [*range(0, n - count, count), n - count]
    if rows.nbytes > STACK:
        starts = [max(0, min(n - count, int(values["pos"]) - count // 2))]
    ids = fetched()
    parts = [(start, slice(start, start + count)) for start in starts]
    windows = [{"from": start, "labels": page.tokens[part], "ids": ids[part]} for start, part in parts]
    axis = {"param": "pos", "count": count, "word": "", "room": 8, "gutter": "none"}
    header = {
        "name": [],
        "planes": [str(i) for i in range(len(starts))],
        "rows": {**axis, "windows": windows, **windows[0]},
        "columns": dimensions(),
        "reach": summary.full,
        "tall": min(15 * count, 240),
        "also": {"k": None, "row": None},
        "words": words(
            "output_label",
            whole=page.t("whole_output", n=n),
            caption=page.t("output_caption", n=n, d_model=view.d_model, full=summary.full),
        ),
    }
    arrays = [rows[part] for _, part in parts]
    if n > count:
        blocks = averaged(rows, *BLOCKS)
        header["whole"] = whole_of(blocks, rows.shape)
        arrays.append(blocks)
    return components.pack(header, *arrays)


def whole_of(blocks: np.ndarray, shape: tuple[int, ...]) -> dict:
    high = float(np.abs(np.nan_to_num(blocks)).max())
    return {"rows": blocks.shape[0], "columns": blocks.shape[1], "of": shape, "reach": high}


def words(label: str, **more: object) -> dict:
    shared = {name: page.t(f"matrix.{name}") for name in ("marks", "veiled")}
    return {"label": page.t(label), "range": page.t("range"), **shared, **more}


def controls() -> dict:
    t, alone = page.t, {"k": None, "row": None}
    tokens = [(i, token) for i, token in enumerate(page.tokens)]
    dims = [(i, str(i)) for i in range(view.d_model)]
    return {
        "controls": [
            {"name": "pos", "label": t("token"), "options": tokens, "plain": True, "stepper": True, "also": alone},
            {"name": "dim", "label": t("dimension"), "options": dims, "plain": True, "also": alone},
        ]
    }


# ---- three ways to write a token down


def pairs() -> bytes:
    n = len(view.ids)
    kinds = KINDS if n * n * 4 * len(KINDS) <= STACK else (str(values["pair"]),)
    header = {
        "name": ["pair"],
        "planes": kinds,
        "rows": {"param": "pos", "labels": page.tokens, "count": n, "from": 0, "word": ""},
        "columns": {"param": "k", "labels": page.tokens, "count": n, "from": 0, "word": ""},
        "reachBy": "pair",
        "reach": {"onehot": 1, "row": 1},
        "tall": 330,
        "words": words(
            "pairs_label",
            captions={kind: page.t(f"pairs.{kind}", vocab=f"{view.vocab:,}", d_model=view.d_model) for kind in KINDS},
        ),
    }
    return components.pack(header, *[seen(view.pairs(kind), 0, 1) for kind in kinds])


def pair_controls() -> dict:
    options = [(kind, page.t(f"kinds.{kind}")) for kind in KINDS]
    return {"controls": [{"name": "pair", "label": page.t("written"), "options": options}]}


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    position, other, row = int(now["pos"]), now["k"], now["row"]
    if other is not None:
        return pair_data(str(now["pair"]), position, int(other))
    if row is not None:
        return entry_data(int(row), int(now["dim"]))
    return cell_data(position, int(now["dim"]))


def hidden(where: str, id: str) -> dict:
    step = {"operation": page.t("matrix.veiled"), "value": "", "reason": page.t("veiled_step")}
    return {"id": id, "title": page.t("follow"), "value": page.t("matrix.veiled"), "where": where, "steps": [step]}


def cell_data(position: int, dim: int) -> dict:
    where, id = page.t("follow_cell", token=page.name(position), position=position, dim=dim), f"{position}/{dim}"
    if position in VEIL:
        return hidden(where, id)
    derivation = derive_cell(view, position, dim)
    steps = follow.lines(page.t, derivation, token=page.tokens[position], dim=dim, **sizes())
    if twins := [i for i in view.same(position) if i not in VEIL]:
        steps.append(twin_line(position, twins[0]))
    return {"id": id, "where": where, **headline(derivation), "steps": steps}


def twin_line(position: int, twin: int) -> dict:
    """The same row, fetched for another place: no position in it yet."""
    a, b = sorted((position, twin))
    names = {"a": page.name(a), "b": page.name(b), "d_model": view.d_model, "id": view.ids[a]}
    value = view.apart(a, b)
    return {
        "operation": page.t("steps.twin.operation", **names),
        "value": short(value),
        "exact": exact(value),
        "reason": page.t("steps.twin.reason", **names),
    }


def entry_data(row: int, dim: int) -> dict:
    """A number of the table that was looked up by hand."""
    derivation = derive_entry(view, row, dim)
    steps = follow.lines(page.t, derivation, token=view.pieces[row], dim=dim, **sizes())
    at = [str(i) for i, id in enumerate(view.ids) if id == row]
    said = page.t("entry_fetched", positions=", ".join(at)) if at else page.t("entry_idle")
    first = {"operation": page.t("steps.entry.operation", row=row), "value": view.pieces[row]}
    steps.insert(0, first if VEIL else {**first, "reason": said})
    where = page.t("follow_entry", row=row, dim=dim)
    return {"id": f"row/{row}/{dim}", "where": where, **headline(derivation), "steps": steps}


def pair_data(kind: str, a: int, b: int) -> dict:
    names = {"a": page.name(a), "b": page.name(b)}
    where, id = page.t(f"follow_pair.{kind}", **names), f"{kind}/{a}/{b}"
    if a in VEIL or b in VEIL:
        return hidden(where, id)
    derivation = derive_pair(view, kind, a, b)
    steps = follow.lines(page.t, derivation, **names, **sizes())
    data = {"id": id, "where": where, **headline(derivation), "steps": steps}
    if kind == "id":
        data["value"] = steps[-1]["value"] = f"{derivation.value:,.0f}"
    return data


def sizes() -> dict[str, str]:
    return {"vocab": f"{view.vocab:,}", "zeros": f"{view.vocab - 1:,}", "d_model": str(view.d_model)}


def headline(derivation) -> dict:
    return {"title": page.t("follow"), "value": short(derivation.captured), "exact": exact(derivation.captured)}


# ---- the words


def lead() -> None:
    facts = {"vocab": f"{view.vocab:,}", "d_model": view.d_model, "token": page.name(OPENING), "id": view.ids[OPENING]}
    page.title("lead_open" if veiled else "lead", **facts)


def notices() -> tuple[list[str], tuple]:
    """Sentences about this sentence's rows; while the question is open, none that answers it."""
    said = [one_hot_notice()] if veiled else [context_free_notice(), one_hot_notice(), *alike_notice()]
    said.append(page.t.html(page.own("differs"), rows=f"{view.vocab:,}", d_model=view.d_model))
    word, row = OLD_NOTES
    if word in page.tokens:
        id = view.ids[page.tokens.index(word)]
        said.append(page.t.html("notice.old_id", word=word, id=id, old=row, piece=view.pieces[row]))
        return said, (page.t("notice.try_row", old=row), {"row": row, "k": None})
    rest = [i for i, id in enumerate(fetched()) if id not in (None, view.ids[OPENING])]
    other = min(rest, key=lambda i: (view.special[i] or not view.tokens[i].isalnum(), i), default=OPENING)
    names = {"a": page.name(OPENING), "b": page.name(other)}
    return said, (page.t("notice.try_pair", **names), {"pair": "onehot", "pos": OPENING, "k": other, "row": None})


def context_free_notice() -> str:
    token, id = view.tokens[OPENING], view.ids[OPENING]
    places = sorted([OPENING, *view.same(OPENING)])
    facts = {"token": token, "id": id, "d_model": view.d_model, "places": ", ".join(map(str, places))}
    if len(places) == 1:
        return page.t.html("notice.context_free", **facts)
    difference = max(view.apart(OPENING, i) for i in places)
    key = "notice.unknown" if id == page.model.tokenizer.unk_id else "notice.same"
    return page.t.html(key, difference=difference, **facts)


def one_hot_notice() -> str:
    """The product with the one-hot vector, made in full for the row the page opens on."""
    id = view.ids[OPENING]
    product = cached.remember(("one-hot", page.address.model, id), lambda: view.by_one_hot(id))
    return page.t.html(
        "notice.one_hot", token=page.name(OPENING), id=id, d_model=view.d_model, vocab=f"{view.vocab:,}",
        products=f"{view.vocab * view.d_model:,}", zeros=f"{(view.vocab - 1) * view.d_model:,}",
        difference=float(np.abs(product - view.table[id]).max()),
    )  # fmt: skip


def alike_notice() -> list[str]:
    """The two words of this sentence whose rows are most alike, beside the two whose ids are nearest."""
    words = [i for i, special in enumerate(view.special) if not special]
    different = [(a, b) for a in words for b in words if a < b and view.ids[a] != view.ids[b]]
    if not different:
        return []
    alike = max(different, key=lambda pair: view.cosine[pair])
    near = min(different, key=lambda pair: (abs(view.ids[pair[0]] - view.ids[pair[1]]), -view.cosine[pair]))
    facts = {**pair_facts("", *alike), **pair_facts("near_", *near)}
    return [page.t.html("notice.alike_too" if near == alike else "notice.alike", **facts)]


def pair_facts(prefix: str, a: int, b: int) -> dict[str, object]:
    gap = f"{abs(view.ids[a] - view.ids[b]):,}"
    facts = {"a": page.name(a), "b": page.name(b), "cosine": float(view.cosine[a, b]), "gap": gap}
    return {prefix + name: value for name, value in facts.items()}


@st.fragment
def calculator() -> None:
    """V · d for any vocabulary and width."""
    now, t = state.Address().read(TABLE), page.t
    with st.container(key="calculator", horizontal=True, vertical_alignment="bottom", gap="small"):
        for name, most in (("vocab", MOST[0]), ("width", MOST[1])):
            st.session_state[f"{name}_in"] = now[name]
            st.number_input(t(name), 1, most, key=f"{name}_in", step=1, on_change=sized, args=(name,), width=160)
        count = int(now["vocab"]) * int(now["width"])
        facts = {"count": f"{count:,}", "megabytes": short(count * 4 / 1e6), "all": f"{view.parameters:,}"}
        own = (now["vocab"], now["width"]) == view.table.shape
        st.html(f"<p>{t.html('size_own' if own else 'size', share=short(100 * count / view.parameters), **facts)}</p>")


def sized(name: str) -> None:
    state.change(**{name: st.session_state[f"{name}_in"]})


# ---- open it


def opened() -> Opened:
    now = state.Address().read(TABLE)
    n, at = len(view.ids), "embedding"
    shapes = [
        (f"{at} · ids", ("token",), (n,)),
        (f"{at} · one-hot", ("token", "vocab"), (n, view.vocab)),
        (f"{at}.token_table.weight", ("vocab", "d_model"), view.table.shape),
        (f"{at}.token", page.model.tap_dims[f"{at}.token"], view.output.shape),
    ]
    kind = str(now["pair"])
    module = TransformerEmbedding if page.writes else BertEmbedding
    as_pairs = now["k"] is not None
    shown = seen(view.pairs(kind), 0, 1) if as_pairs else seen(view.output, 0)
    columns = page.tokens if as_pairs else [str(i) for i in range(view.d_model)]
    return Opened(
        formula=formula(now),
        code=(module.__init__, module.forward, EmbeddingView.one_hot, EmbeddingView.by_one_hot),
        shapes=shapes,
        compare=lambda: (page.t("compared.rows"), compare.row_difference(page.address.model, page.text)),
        table=lambda: csv(shown, page.tokens, columns),
        table_name=f"{'pairs-' + kind if as_pairs else 'embedding.token'}.csv",
    )


def formula(now: dict) -> str:
    """The general formula and, under it, the numbers of the token that is selected."""
    position, dim = int(now["pos"]), int(now["dim"])
    general = r"e_k = E_{t_k} = x_{t_k} E, \qquad x_t \in \{0, 1\}^{V},\ E \in \mathbb{R}^{V \times d}"
    if position in VEIL:
        return general
    id, row = view.ids[position], view.output[position]
    first = ",\\ ".join(short(float(x)) for x in row[:3])
    numbers = rf"e_{{{position}}} = E_{{{id}}} = ({first},\ \dots,\ {short(float(row[-1]))})"
    cell = rf"e_{{{position},{dim}}} = E_{{{id},{dim}}} = {short(float(row[dim]))}"
    shape = rf"V = {view.vocab},\ d = {view.d_model}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \\ & {cell} \qquad {shape} \end{{aligned}}"


# ---- the page, top to bottom

lead()
ask.ask(page, question, reset=dict.fromkeys(("pos", "dim", "row", "k")))
components.controls(key="controls", data=controls())
left, right = st.columns([1.32, 1], gap="medium")
with left:
    components.matrix(key="table", data=table(), on_selection_change=state.selecting("table", TABLE))
    components.matrix(key="output", data=output(), on_selection_change=state.selecting("output", TABLE))
with right:
    follow.follow(page, TABLE, derivation_data)
left, right = st.columns([1, 1.08], gap="large")
with left, st.container(key="pairs_box", gap="small"):
    st.html(f"<h2 class='part'>{page.t.html('pairs_title')}</h2>")
    components.controls(key="pair_controls", data=pair_controls())
    components.matrix(key="pairs", data=pairs(), on_selection_change=state.selecting("pairs", TABLE))
with right:
    page.notice(*notices())
    page.link("meaning", page.t("door_meaning"))
st.html(f"<h2 class='part'>{page.t.html('size_title')}</h2>")
calculator()
open_it(page, opened)
page.next_stop()
