"""Position: what says where a token stands. Waves to the bottom, the learned table, and reading without either."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation import Derivation
from core.derivation.position import derive_cell, derive_moved, derive_pair, derive_wave
from core.edits import zero_positions
from core.model.position import (
    LearnedPosition,
    SinusoidalPosition,
    per_radian,
    rotation,
    turned,
    waves,
    waves_by_logarithm,
)
from core.predict import after_swap, farther_apart
from core.training import grammar
from core.views import position as views
from core.views.embedding import averaged
from core.views.position import MEASURES, READERS, Built, OrderView, PositionTable
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import exact, grouped, short
from pages.shared.open_it import OPEN, Opened, csv, open_it, source, where
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import choice, whole

WINDOW = 64  # positions that the waves show at once
ROWS = 32  # positions of the whole matrix that are shown at once
STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for
GAPS = 801  # gaps of the curve: as far as 710, where the fastest clock nearly repeats
FARTHEST = 1_000_000  # position to calculate with
TURN = 1_000_000_000  # positions to move by
WIDEST = 4096  # dimensions to calculate with
LENGTHS = 256, 512, 5000  # rows: tensor2tensor's longest sentence in training, BERT's, and tutorials' usual buffer
LONGEST = 10_000  # rows of a table to build
SECTIONS = ("table", "calculator", "moving", "far", "learned")
SCALES = ("one", "each")  # colours of two tables side by side
CLAIMS = ((0, 1), (100, 101), (5000, 5001), (0, 44), (0, 710))  # pairs of positions people speak of
EXAMPLES = {"minilm": ("dog bites man", "man bites dog"), "translator": ("老师批评了学生", "学生批评了老师")}


# ---- what is looked at


def own_order(page: Page) -> OrderView | None:
    """The visitor's sentence and the same with two words swapped; None where there are no two, or it is long."""
    if len(page.trace.tokens) > cached.WHOLE:
        return None
    swapped = views.swap(page.text, grammar_words(page) or views.word_spans(page.trace.tokens))
    return None if swapped is None else order_of(page, page.text, swapped)


def grammar_words(page: Page) -> list[tuple[int, int]]:
    """Where the words of a Chinese sentence stand, as the grammar knows them; none where it does not make it."""
    parts = grammar.parse(page.text) if page.writes else None
    if parts is None or grammar.build(parts).zh != page.text:
        return []
    spans, at = [], 0
    for word in sorted((word for _, word in parts.words if word), key=page.text.find):
        at = page.text.find(word, at)
        if at < 0:
            return []
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


def order_of(page: Page, first: str, second: str) -> OrderView | None:
    """Both texts read with positions and without; kept for everyone."""
    name, taps = page.address.model, views.order_taps(page.model)
    read = lambda text, *edits: cached.capture(name, text, only=taps, edits=edits)  # noqa: E731

    def make() -> OrderView:
        off = zero_positions()
        runs = {"on": (read(first), read(second)), "off": (read(first, off), read(second, off))}
        view = views.order_view(page.model, runs)
        assert view is not None
        return view

    if views.partners(*[[t.id for t in cached.trace(name, text).tokens] for text in (first, second)]) is None:
        return None
    return cached.remember(("orders", name, first, second), make)


def parameters(page: Page) -> dict[str, state.Parameter]:
    positions, d = TABLES["sinusoidal"].rows.shape
    number = whole(0, FARTHEST, 0)
    return {
        "pos": whole(0, positions - 1, opening_position(page)),
        "dim": whole(0, d - 1, d // 8),
        "max_len": whole(1, LONGEST, positions),
        "row": replace(whole(0, LONGEST - 1, 0), default=None),
        "kind": choice(*TABLES, default="sinusoidal"),
        "order": choice("own", "example", default="own" if OWN else "example"),
        "reader": choice(*READERS, default="on"),
        "at": whole(0, FARTHEST, 1),
        "i": whole(0, WIDEST - 1, 2),
        "d": whole(1, WIDEST, 4),
        "base": whole(1, TURN, views.BASE),
        "by": whole(-TURN, TURN, 5),
        "measure": choice(*MEASURES, default="distance"),
        "a": number,
        "b": whole(0, FARTHEST, 1),
        "scale": choice(*SCALES, default="one"),
        "beyond": whole(0, FARTHEST, LEARNED.rows.shape[0]),
        "section": choice(*SECTIONS, default=SECTIONS[0]),
        "marks": choice("1", default=None),
        **OPEN,
    }


def opening_position(page: Page) -> int:
    """The last word of the sentence."""
    words = [i for i, t in enumerate(page.trace.tokens) if not t.special and any(c.isalnum() for c in t.text)]
    return words[-1] if words else 0


page = current()
TABLES = views.tables(page.model)
WAVES = TABLES["sinusoidal"]
OWN_KIND = page.model.config.position
LEARNED = views.tables(cached.model("minilm"))["learned"]
OWN = own_order(page)
EXAMPLE = order_of(page, *EXAMPLES["translator" if OWN_KIND == "sinusoidal" else "minilm"])
question = after_swap(OWN) or farther_apart(WAVES)
veiled = ask.is_open(page, question)
VEIL = question.template if veiled else ""
TABLE = parameters(page)
values = page.read(TABLE)
page.strip = Strip(first="pos", click="pos")
N, D = len(page.tokens), WAVES.d_model


# ---- the picture: waves, and under them one position as clock hands


def waves_data() -> bytes:
    t, positions = page.t, len(WAVES.rows)
    start = min(int(values["pos"]) // WINDOW * WINDOW, max(0, positions - WINDOW))
    rows = {kind: table.rows[start : start + WINDOW] for kind, table in TABLES.items()}
    header = {
        "from": start,
        "count": len(rows["sinusoidal"]),
        "positions": positions,
        "d": D,
        "kinds": list(TABLES),
        "reach": {kind: table.reach for kind, table in TABLES.items()},
        "period": [float(f"{x:.9g}") for x in views.wavelengths(D) / (2 * np.pi)],
        "tokens": N,
        "words": {
            "label": t("waves_label"),
            "title": {kind: t(f"waves_title.{kind}", start=start, end=start + WINDOW - 1) for kind in TABLES},
            "caption": {kind: t(f"waves_caption.{kind}", reach=TABLES[kind].reach) for kind in TABLES},
            "dim": t("matrix.dim"),
            "position": t("position"),
        },
    }
    return components.pack(header, *rows.values())


def clocks_data() -> dict:
    t, lengths = page.t, views.wavelengths(D)
    ends = [t("clocks.fastest", turn=float(lengths[0])), t("clocks.slowest", turn=float(lengths[-1]))]
    return {
        "words": {
            "title": {kind: t(f"clocks_title.{kind}", clocks=D // 2) for kind in TABLES},
            "ends": {"sinusoidal": ends},
            **clock_words(),
        }
    }


def clock_words() -> dict:
    return {"clock": page.t("clock"), "dim": page.t("matrix.dim")}


def controls() -> dict:
    t, (positions, d) = page.t, WAVES.rows.shape
    shown = [
        {"name": "pos", "label": t("position"), "options": numbers(positions), "plain": True, "stepper": "always"},
        {"name": "dim", "label": t("dimension"), "options": numbers(d), "plain": True, "stepper": "always"},
    ]
    if len(TABLES) > 1:
        kinds = [(kind, t(f"kinds.{kind}")) for kind in TABLES]
        shown.insert(0, {"name": "kind", "label": t("kind"), "options": kinds})
    return {"controls": shown}


def numbers(n: int) -> list[tuple[int, str]]:
    return [(i, str(i)) for i in range(n)]


def typed(name: str, low: int, high: int) -> dict:
    """A number to type, and what is said to one that cannot be used."""
    limits = {"low": grouped(low), "high": grouped(high)}
    return {
        "name": name,
        "label": page.t(f"typed.{name}"),
        "number": [low, high],
        "options": [],
        "refusal": page.t("typed_refusal", **limits),
    }


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    pos, dim, table = int(now["pos"]), int(now["dim"]), TABLES[str(now["kind"])]
    derivation = derive_cell(table, pos, dim)
    check = "check.table" if table.kind == "sinusoidal" else "check.row"
    steps = lines(derivation, check, pos=pos)
    if table.kind == OWN_KIND and pos < N:
        captured = float(run()["embedding.position"][pos, dim])
        difference = short(abs(float(table.rows[pos, dim]) - captured))
        steps[-1]["check"] += page.t("check.tap", difference=difference)
    place = page.t("follow_cell", position=pos, dim=dim)
    token = f"{page.name(pos)} · " if pos < N else ""
    told = {"params": ["pos", "dim", "kind"], "main": True}
    return {**headline(derivation), **told, "id": f"{table.kind}/{pos}/{dim}", "where": token + place, "steps": steps}


def run():
    return cached.capture(page.address.model, page.text, only=("embedding.position",))


def lines(derivation: Derivation, check: str, **names: float | str) -> list[dict]:
    """The steps in words, and what the last was held against."""
    steps = tuple(replace(step, parts=spoken(step.parts)) for step in derivation.steps)
    shown = follow.lines(page.t, replace(derivation, steps=steps), **spoken(names))
    shown[-1]["check"] = page.t(check, difference=short(abs(derivation.difference)), **spoken(names))
    return shown


def spoken(values: Mapping[str, float | str]) -> dict[str, float | str]:
    """Whole numbers as they stand in a sentence: positions and steps may be long."""
    return {name: grouped(x) if isinstance(x, int) else x for name, x in values.items()}


def headline(derivation: Derivation, title: str = "follow") -> dict:
    return {"title": page.t(title), "value": short(derivation.captured), "exact": exact(derivation.captured)}


# ---- the words


def words(now: dict) -> None:
    with lead_place:
        pos = int(now["pos"])
        facts = {"d_model": D, "clocks": D // 2, "position": pos}
        who = "token" if pos < N else "nobody"
        page.lead(
            f"lead_{'open' if veiled else OWN_KIND}",
            **facts,
            who=page.t(f"who.{who}", token=token_at(pos), position=pos),
        )


def token_at(pos: int) -> str:
    return page.name(pos) if pos < N else ""


def notices() -> tuple[list[str], tuple]:
    t, lengths = page.t, views.wavelengths(D)
    said = [
        t.html(
            "notice.fast", first=float(lengths[0]), last=float(lengths[-1]), dim=D - 2, step=float(views.rates(D)[-1])
        ),
        t.html(f"notice.{OWN_KIND}", d_model=D, rows=len(WAVES.rows)),
    ]
    if len(TABLES) > 1:
        return said, (t("notice.try_learned"), {"kind": "learned"})
    return said, (t("notice.try_slow", dim=D - 2), {"dim": D - 2})


# ---- why at all


def orders_data() -> dict:
    t = page.t
    scenes = {name: scene(view) for name, view in (("own", OWN), ("example", EXAMPLE)) if view}
    return {
        "scenes": scenes,
        "most": max(float(r.difference.max()) for view in (OWN, EXAMPLE) if view for r in view.readings.values()),
        "words": {"label": t("order.label"), "veiled": t("matrix.veiled"), "more": t("order.more")},
    }


def scene(view: OrderView) -> dict:
    return {
        "first": view.tokens[0],
        "second": view.tokens[1],
        "special": view.special,
        "partner": view.partner,
        "readers": {name: reading(view, name) for name in READERS},
    }


def reading(view: OrderView, name: str) -> dict:
    """One reader's numbers and sentence; of the one that is asked about, nothing while the question is open."""
    t, made = page.t, view.readings[name]
    n = len(view.tokens[0])
    if name == "off" and VEIL == "after_swap":
        return {"share": [None] * n, "cosine": [None] * n, "said": [], "caption": t("order.veiled")}
    share = made.difference
    most, before = int(share.argmax()), next(iter(view.moved()), 0)
    caption = t(
        f"order.{name}", token=view.tokens[0][most], share=float(share[most]), cosine=float(made.cosine[most]),
        largest=made.largest, steps=n, seed=views.SEED, before=t("order.still", count=before) if before else "",
    )  # fmt: skip
    said = [f"{text} → {out}" for text, out in zip(view.texts, made.written, strict=True) if out is not None]
    return {
        "share": [float(f"{x:.6g}") for x in share],
        "cosine": [float(f"{x:.7g}") for x in made.cosine],
        "said": said,
        "caption": caption,
    }


def order_controls() -> dict:
    t = page.t
    scenes = [(name, t(f"scenes.{name}")) for name, view in (("own", OWN), ("example", EXAMPLE)) if view]
    shown = [
        {
            "name": "reader",
            "label": t("order.reader"),
            "options": [(r, t(f"readers.{r}")) for r in READERS],
            "stepper": True,
            "plain": True,
        }
    ]
    if len(scenes) > 1:
        shown.append({"name": "order", "label": t("order.words_of"), "options": scenes})
    return {"controls": shown}


def why() -> None:
    part("why")
    if not (OWN or EXAMPLE):
        return
    if OWN is None:
        key = "why.long" if len(page.trace.tokens) > cached.WHOLE else "why.short"
        st.html(f"<p class='soft'>{page.t.html(key, limit=cached.WHOLE)}</p>")
    components.controls(key="order_controls", data=order_controls())
    components.orders(key="orders", data=orders_data())


def part(name: str, text: str = "text", **values: object) -> None:
    """A section's heading, and a sentence or two on what it is for."""
    said = page.t.html(f"{name}.{text}", **values)
    st.html(f"<h2 class='part'>{page.t.html(f'{name}.title')}</h2><p class='lead'>{said}</p>")


# ---- the whole matrix, and the wavelengths


def matrix_words(label: str, caption: str, **more: object) -> dict:
    shared = {name: page.t(f"matrix.{name}") for name in ("range", "marks", "veiled")}
    return {"label": page.t(label), "caption": caption, **shared, **more}


def dimensions(d: int) -> dict:
    return {"param": "dim", "labels": None, "count": d, "from": 0, "word": page.t("matrix.dim")}


def built(max_len: int) -> Built:
    return cached.remember(("waves built", max_len, D), lambda: views.built(max_len, D))


def whole_matrix(max_len: int) -> bytes:
    t, table = page.t, built(max_len).table
    n, count = len(table.rows), min(ROWS, len(table.rows))
    starts = [*range(0, n - count, count), n - count]
    if table.nbytes > STACK:
        shown = values["pos"] if values["row"] is None else values["row"]
        starts = [max(0, min(n - count, int(shown) - count // 2))]
    windows = [{"from": s, "labels": [str(i) for i in range(s, s + count)], "ids": None} for s in starts]
    blocks = cached.remember(("positions in blocks", max_len, D), lambda: averaged(table.rows, 56, 128))
    of_positions = [
        i if i < n else None for i in range(len(WAVES.rows))
    ]  # the row of each position, until one is chosen
    rows = {"param": "row", "follows": {"param": "pos", "rows": of_positions}, "ticks": False}
    header = {
        "name": ["max_len"],
        "planes": [f"{max_len}/{i}" for i in range(len(starts))],
        "rows": {**rows, "count": count, "word": t("position"), "room": 4, "windows": windows, **windows[0]},
        "columns": dimensions(D),
        "whole": {"rows": blocks.shape[0], "columns": blocks.shape[1], "of": table.rows.shape, "reach": 1.0},
        "reach": 1,
        "tall": 8 * ROWS,
        "words": matrix_words("whole.label", t("whole.caption"), whole=t("whole.whole", n=grouped(n))),
    }
    return components.pack(header, *[table.rows[s : s + count] for s in starts], blocks)


def length_controls() -> dict:
    lengths = sorted({*LENGTHS, len(WAVES.rows)})
    presets = {
        "name": "max_len",
        "label": "max_len",
        "options": [(n, grouped(n)) for n in lengths],
        "also": {"row": None},
    }
    return {"controls": [presets, {**typed("max_len", 1, LONGEST), "also": {"row": None}}]}


def row_data(now: dict) -> dict:
    """A number of the table with this `max_len`, held against the same row of the others."""
    t, length, dim = page.t, int(now["max_len"]), int(now["dim"])
    row = int(now["pos"] if now["row"] is None else now["row"])
    shown = {"title": t("built.follow"), "where": t("follow_cell", position=grouped(row), dim=dim), "steps": []}
    shown |= {"id": f"{length}/{row}/{dim}", "params": ["max_len", "row", "pos", "dim"]}
    if row >= length:
        return {
            **shown,
            "value": "–",
            "note": t("built.no_row", length=grouped(length), row=grouped(row), last=grouped(length - 1)),
        }
    derivation = derive_cell(built(length).table, row, dim)
    cell, others = derivation.captured, [n for n in LENGTHS if row < n != length]
    steps = lines(derivation, "check.table", pos=row)
    if others:
        apart = max(abs(float(built(n).table.rows[row, dim]) - cell) for n in others)
        lengths = t("built.and").join(map(grouped, others))
        steps[-1]["check"] += t("built.same", lengths=lengths, difference=short(apart))
    return {**shown, **headline(derivation, "built.follow"), "steps": steps}


def lengths_table(max_len: int) -> str:
    """What `max_len` changes, and what it does not: the usual ones, this model's and the chosen one."""
    t, own = page.t, len(WAVES.rows)
    heads = "".join(f"<th>{t.html(f'built.{name}')}</th>" for name in ("shape", "numbers", "bytes", "trained", "apart"))
    rows = []
    for n in sorted({*LENGTHS, own, max_len}):
        made = built(n)
        cells = *map(grouped, (made.table.rows.size, made.nbytes, made.trained)), short(made.difference(WAVES))
        said = "".join(f"<td>{cell}</td>" for cell in cells)
        chosen = " class='query'" if n == max_len else ""
        rows.append(f"<tr{chosen}><td>{grouped(n)}&nbsp;×&nbsp;{D}</td>{said}</tr>")
    return f"<div class='shapes-box'><table class='shapes sums'><tr>{heads}</tr>{''.join(rows)}</table></div>"


def wavelengths_data() -> bytes:
    t, lengths = page.t, views.wavelengths(D)
    last, limit = float(lengths[-1]), 2 * np.pi * views.BASE
    header = {
        "x": {"from": 0, "step": 2, "count": len(lengths), "word": t("dimension"), "param": "dim"},
        "y": {"log": True, "low": 1.0, "high": 1e5},
        "series": [{"name": "", "look": "accent", "points": True}],
        "marks": [
            {"x": 0, "y": float(lengths[0]), "text": f"{lengths[0]:.3f}", "anchor": "start", "below": True},
            {"x": D - 2, "y": last, "text": f"{last:,.0f}", "anchor": "end"},
        ],
        "levels": [{"y": limit, "text": t("wavelength.limit", limit=f"{limit:,.0f}")}],
        "height": 236,
        "words": {"label": t("wavelength.label"), "caption": t("wavelength.caption", last=f"{last:,.0f}", dim=D - 2)},
    }
    return components.pack(header, lengths)


def matrix_and_ruler() -> None:
    t, length = page.t, int(values["max_len"])
    part("whole", d_model=D)
    components.controls(key="length_controls", data=length_controls())
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        key = "whole_matrix"
        components.matrix(key=key, data=whole_matrix(length), on_selection_change=state.selecting(key, TABLE))
    with right:
        follow.follow(page, TABLE, row_data, key="row")
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        st.html(f"<p class='soft'>{t.html('built.title')}</p>{lengths_table(length)}")
        facts = {"rows": len(WAVES.rows), "saved": built(length).saved}
        paragraphs([t.html("built.said", **facts), t.html("built.whence")])
    with right:
        st.html(f"<p class='soft'>{t.html('wavelength.title')}</p>")
        components.curves(key="wavelengths", data=wavelengths_data())


# ---- the calculator


def calculator() -> None:
    part("calculator")
    left, right = st.columns([1, 1.35], gap="large")
    with left:
        limits = {"at": (0, FARTHEST), "i": (0, WIDEST - 1), "d": (1, WIDEST), "base": (1, TURN)}
        inputs = [typed(name, *ends) for name, ends in limits.items()]
        components.controls(key="calculator_controls", data={"controls": inputs})
        row_place = st.container(key="calculator_row", gap=None)

        def data(now: dict) -> dict:
            at, i, d, base = (int(now[name]) for name in ("at", "i", "d", "base"))
            dim = min(i, d - 1)
            derivation = derive_wave(at, dim, d, base)
            return {
                **headline(derivation, "calculated"),
                "id": f"{at}/{dim}/{d}/{base}",
                "where": page.t("follow_cell", **spoken({"position": at, "dim": dim})),
                "steps": lines(derivation, "check.code"),
                "note": "" if i < d else page.t("calculator.too_high", **spoken({"i": i, "d": d, "last": d - 1})),
                "params": list(limits),
            }

        def row(now: dict) -> None:
            with row_place:
                paragraphs(calculated(*(int(now[name]) for name in ("at", "d", "base"))))

        follow.follow(page, TABLE, data, key="calculated", also=row)
    with right:
        code(waves, per_radian)
    left, right = st.columns([1, 1.35], gap="large")
    with left:
        paragraphs(usual_code())
    with right:
        code(waves_by_logarithm)


def calculated(at: int, d: int, base: int) -> list[str]:
    """The vector of the position, its first numbers at least, and what is special about this width and base."""
    t, row = page.t, views.encoded(at, d, base)
    first = ", ".join(f"{x:.5f}".replace("-", "−") for x in row[:8]) + (", …" if d > 8 else "")
    said = [t.html("calculator.row", position=grouped(at), row=first)]
    if d % 2:
        said.append(t.html("odd.one" if d == 1 else "odd.width", **spoken({"d": d, "last": d - 1})))
    if base == 1:
        said.append(t.html("odd.base_one"))
    elif d > 1:
        said.append(
            t.html("calculator.last", last=float(views.wavelengths(d, base)[-1]), dim=grouped((d - 1) // 2 * 2))
        )
    return said


def usual_code() -> list[str]:
    written = views.by_logarithm(512, D)
    facts = {"difference": written.difference, "at": written.at, "odd": D - 1, "refused": written.refused, "d_model": D}
    return [page.t.html("usual.code", **facts), page.t.html("usual.odd", **facts)]


def code(*functions) -> None:
    for function in functions:
        st.html(f"<p class='soft'>{where(function)}</p>")
        st.code(source(function), language="python", wrap_lines=True)


# ---- moving is turning


def moving() -> None:
    if VEIL == "farther_apart":  # a turn that depends on the gap alone would answer it
        st.html(f"<p class='soft'>{page.t.html('far.veiled')}</p>")
        return
    part("moving")
    components.controls(
        key="moving_controls", data={"controls": [typed("pos", 0, len(WAVES.rows) - 1), typed("by", -TURN, TURN)]}
    )
    clocks = {
        "words": {"title": {kind: page.t("moving.clocks") for kind in TABLES}, **clock_words()},
        "moved": {"param": "by", "count": 12},
    }
    components.clocks(key="moved_clocks", data=clocks)
    left, right = st.columns([1, 1.08], gap="large")
    matrix_place = left.container(key="moving_matrix", gap=None)

    def data(now: dict) -> dict:
        pos, by, dim = int(now["pos"]), int(now["by"]), int(now["dim"])
        derivation = derive_moved(pos, by, dim, D)
        return {
            **headline(derivation, "turned"),
            "id": f"{pos}/{by}/{dim}",
            "where": page.t("follow_moved", position=grouped(pos), by=signed(by), dim=dim),
            "steps": lines(derivation, "check.there", position=pos, there=pos + by),
            "params": ["pos", "by", "dim"],
        }

    def matrix(now: dict) -> None:
        pos, by, pair = int(now["pos"]), int(now["by"]), int(now["dim"]) // 2
        with matrix_place:
            move = views.moved(pos, by, D)
            st.latex(rotation_formula(move, pos, by, pair))
            key = "moved.far" if abs(by) >= 10**6 else "moved.near"
            facts = spoken({"error": move.error, "d_model": D, "by": by, "position": pos, "there": pos + by})
            paragraphs([page.t.html(key, **facts)])

    with right:
        follow.follow(page, TABLE, data, key="moved", also=matrix)


def signed(by: int) -> str:
    return f"+ {grouped(by)}" if by >= 0 else f"− {grouped(-by)}"


def latex(n: int) -> str:
    """A whole number in a formula: its commas separate no list."""
    return f"{n:,}".replace(",", "{,}")


def rotation_formula(move: views.Moved, pos: int, by: int, pair: int) -> str:
    """R_k of one pair, with its numbers."""
    (a, b), (c, d) = [[short(float(x)) for x in row] for row in move.turn[pair]]
    sine, cosine = (short(float(x)) for x in move.start[2 * pair : 2 * pair + 2])
    to_sine, to_cosine = (short(float(x)) for x in move.turned[2 * pair : 2 * pair + 2])
    general = (
        r"\begin{pmatrix}\cos k\omega & \sin k\omega\\ -\sin k\omega & \cos k\omega\end{pmatrix}"
        r"\begin{pmatrix}\sin p\omega\\ \cos p\omega\end{pmatrix}"
        r"= \begin{pmatrix}\sin (p+k)\omega\\ \cos (p+k)\omega\end{pmatrix}"
    )
    numbers = (
        rf"\begin{{pmatrix}}{a} & {b}\\ {c} & {d}\end{{pmatrix}}"
        rf"\begin{{pmatrix}}{sine}\\ {cosine}\end{{pmatrix}}"
        rf"= \begin{{pmatrix}}{to_sine}\\ {to_cosine}\end{{pmatrix}}"
    )
    which = rf"p = {latex(pos)},\ k = {latex(by)},\ i = {pair},\ \omega = 10000^{{-{2 * pair}/{D}}}"
    return rf"\begin{{gathered}} {general} \\[4pt] {numbers} \\[2pt] {which} \end{{gathered}}"


# ---- how far apart


def pairs_data(table: PositionTable, by: str | tuple[str, ...], reach: dict) -> bytes:
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
        "words": matrix_words("pairs.label", "", captions={mode: captions[m] for mode, m in modes}),
    }
    return components.pack(header, *[table.pairs[m] for m in MEASURES])


def pair_data(table: PositionTable, now: dict, title: str) -> dict:
    a, b, measure = int(now["a"]), int(now["b"]), str(now["measure"])
    base = {"id": f"{table.kind}/{measure}/{a}/{b}", "params": ["a", "b", "measure"], "steps": []}
    place = page.t(f"follow_pair.{measure}", a=grouped(a), b=grouped(b))
    if table.kind == "learned" and max(a, b) >= len(table.rows):
        refused = page.t("beyond.pair", last=len(table.rows) - 1)
        return {**base, "title": page.t(title), "value": "–", "where": place, "note": refused}
    derivation = derive_pair(table, measure, a, b)
    check = "check.gap" if table.kind == "sinusoidal" else "check.rows"
    return {**base, **headline(derivation, title), "where": place, "steps": lines(derivation, check)}


def gaps_data() -> bytes:
    t, gaps = page.t, np.arange(GAPS)
    every, one = views.apart(gaps, D), views.apart_in_pair(gaps, D, 0)
    header = {
        "x": {"from": 0, "step": 1, "count": GAPS, "word": t("gaps.gap"), "param": "b", "also": {"a": 0}},
        "y": {"low": 0},
        "series": [{"name": t("gaps.all", d_model=D), "look": "accent"}, {"name": t("gaps.one"), "look": "second"}],
        "marks": [{"x": 710, "y": float(every[710]), "text": short(float(every[710])), "anchor": "end"}],
        "height": 210,
        "words": {"label": t("gaps.label"), "caption": t("gaps.caption", one=float(one[710]), all=float(every[710]))},
    }
    return components.pack(header, every, one)


def claims() -> str:
    """Pairs of positions people speak of: all dimensions, and the first pair alone."""
    t, rows = page.t, []
    for a, b in CLAIMS:
        x, y = views.encoded(a, D), views.encoded(b, D)
        every, one = np.linalg.norm(x - y), np.linalg.norm(x[:2] - y[:2])
        rows.append(f"<tr><td>{a:,} – {b:,}</td><td>{short(float(every))}</td><td>{short(float(one))}</td></tr>")
    head = "".join(f"<td>{t.html(f'claims.{name}')}</td>" for name in ("pair", "all", "one"))
    return f"<div class='shapes-box'><table class='shapes'><tr>{head}</tr>{''.join(rows)}</table></div>"


def distances() -> None:
    part("far")
    if VEIL == "farther_apart":
        st.html(f"<p class='soft'>{page.t.html('far.veiled')}</p>")
        return
    measures = [(m, page.t(f"measures.{m}")) for m in MEASURES]
    shown = [{"name": "measure", "label": page.t("far.measure"), "options": measures}]
    components.controls(
        key="pair_controls", data={"controls": [*shown, typed("a", 0, FARTHEST), typed("b", 0, FARTHEST)]}
    )
    left, right = st.columns([1, 1.08], gap="large")
    with left:
        data = pairs_data(WAVES, "measure", {"dot": D / 2})
        components.matrix(key="pairs", data=data, on_selection_change=state.selecting("pairs", TABLE))
    with right:
        follow.follow(page, TABLE, lambda now: pair_data(WAVES, now, "followed_pair"), key="pair")
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        components.curves(key="gaps", data=gaps_data())
    with right:
        st.html(claims())
        paragraphs([page.t.html("far.said", d_model=D)])


# ---- the learned table


def rows_data(table: PositionTable) -> bytes:
    t, count, own = page.t, WINDOW, table.kind in TABLES and table.d_model == D
    labels = [str(i) for i in range(count)]
    rows_param, columns_param = ("pos", "dim") if own else ("other_pos", "other_dim")  # another model's cells
    header = {
        "name": [],
        "planes": [""],
        "rows": {"param": rows_param, "labels": labels, "count": count, "from": 0, "word": t("position")},
        "columns": {**dimensions(table.d_model), "param": columns_param},
        "reachBy": "scale",
        "reach": {"one": 1, "each": table.reach},
        "tall": 4 * count,
        "also": {"kind": table.kind} if own else {},
        "words": matrix_words("learned.rows_label", t(f"rows.{table.kind}", count=count)),
    }  # fmt: skip
    return components.pack(header, table.rows[:count])


def norms_data(theirs: PositionTable) -> bytes:
    t = page.t
    learned, computed = LEARNED.norms, theirs.norms
    header = {
        "x": {"from": 0, "step": 1, "count": len(learned), "word": t("position")},
        "y": {"log": True, "low": 0.1, "high": 20},
        "series": [{"name": t("kinds.learned"), "look": "accent"}, {"name": t("kinds.sinusoidal"), "look": "second"}],
        "marks": [{"x": i, "y": float(learned[i]), "text": f"{i}: {short(float(learned[i]))}"} for i in (0, 127)],
        "height": 210,
        "words": {
            "label": t("norms.label"),
            "caption": t("norms.caption", computed=float(computed[0]), mean=float(learned[1:].mean())),
        },
    }
    return components.pack(header, learned, computed)


def neighbours_data(theirs: PositionTable) -> bytes:
    """How far each position is from the next."""
    t = page.t
    learned, computed = LEARNED.steps, theirs.steps
    header = {
        "x": {"from": 0, "step": 1, "count": len(learned), "word": t("next.word")},
        "y": {"log": True, "low": 0.1, "high": 20},
        "series": [{"name": t("kinds.learned"), "look": "accent"}, {"name": t("kinds.sinusoidal"), "look": "second"}],
        "marks": [
            {"x": i, "y": float(learned[i]), "text": f"{i}–{i + 1}: {short(float(learned[i]))}", "below": True}
            for i in (0, 100)
        ],
        "height": 210,
        "words": {"label": t("next.label"), "caption": t("next.caption", computed=float(computed[0]))},
    }
    return components.pack(header, learned, computed)


def learned() -> None:
    t, theirs = page.t, views.computed_table(*LEARNED.rows.shape)
    d = LEARNED.d_model
    part("learned", "text" if len(TABLES) > 1 else "text_other", d_model=d)
    scales = [(name, t(f"scales.{name}")) for name in SCALES]
    components.controls(
        key="scale_controls", data={"controls": [{"name": "scale", "label": t("learned.scale"), "options": scales}]}
    )
    pictures = st.columns(2, gap="large")
    for place, table in zip(pictures, (theirs, LEARNED), strict=True):
        with place:
            st.html(f"<p class='soft'>{t.html(f'learned_side.{table.kind}', d_model=d)}</p>")
            key = f"rows_{table.kind}"
            components.matrix(key=key, data=rows_data(table), on_selection_change=state.selecting(key, TABLE))
    if VEIL != "farther_apart":
        learned_distances(theirs)
    left, right = st.columns(2, gap="large")
    with left:
        if VEIL != "farther_apart":
            follow.follow(page, TABLE, lambda now: pair_data(LEARNED, now, "followed_learned"), key="learned_pair")
    with right:
        beyond(d)


def learned_distances(theirs: PositionTable) -> None:
    """Both tables compared: norms, neighbours, and any two positions."""
    t = page.t
    curves = {"norms": norms_data(theirs), "next": neighbours_data(theirs)}
    for place, (name, data) in zip(st.columns(2, gap="large"), curves.items(), strict=True):
        with place:
            st.html(f"<p class='soft'>{t.html(f'{name}.title')}</p>")
            components.curves(key=f"curve_{name}", data=data)
    one = {f"one/{m}": float(theirs.pairs[m].max()) for m in MEASURES}
    for place, table in zip(st.columns(2, gap="large"), (theirs, LEARNED), strict=True):
        with place:
            key, data = f"pairs_{table.kind}", pairs_data(table, ("scale", "measure"), one)
            components.matrix(key=key, data=data, on_selection_change=state.selecting(key, TABLE))


def beyond(d: int) -> None:
    """Where the learned table ends, and what each kind costs."""
    t, rows = page.t, len(LEARNED.rows)
    components.controls(key="beyond_controls", data={"controls": [typed("beyond", 0, FARTHEST)]})
    refused_place, place = st.container(), st.container(key="beyond_said", gap=None)

    def said(now: dict) -> None:
        first = ", ".join(short(float(x)) for x in views.encoded(int(now["beyond"]), d)[:4])
        facts = {
            "position": grouped(int(now["beyond"])),
            "row": first,
            "parameters": f"{LEARNED.parameters:,}",
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
        norm = float(LEARNED.norms[at])
        return {**shown, "title": t("norms.of", position=at), "value": short(norm), "exact": exact(norm)}

    with refused_place:
        follow.follow(page, TABLE, data, key="beyond", also=said)


# ---- open it


def opened() -> Opened:
    now = state.Address().read(TABLE)
    pos, dim, kind = int(now["pos"]), int(now["dim"]), str(now["kind"])
    table, at = TABLES[kind], "embedding.position"
    module = SinusoidalPosition if OWN_KIND == "sinusoidal" else LearnedPosition
    shapes = [
        ("embedding.position_table.table", ("position", "d_model"), table.rows.shape),
        (at, page.model.tap_dims[at], (N, D)),
    ]
    learned, shape = kind == "learned", table.rows.shape
    return Opened(
        formula=formula(table, pos, dim),
        code=(module, waves, per_radian, rotation, turned),
        shapes=shapes,
        compare=lambda: (
            page.t(f"compared.{kind}"),
            compare.position_difference(page.address.model) if learned else compare.waves_difference(*shape),
        ),
        compared="open.compared" if learned else "compared.waves",
        table=lambda: csv(table.rows, [str(i) for i in range(len(table.rows))], [str(i) for i in range(D)]),
        table_name=f"positions-{kind}.csv",
        captured=True,
    )


def formula(table: PositionTable, pos: int, dim: int) -> str:
    """The general formula and, under it, the selected number."""
    value = short(float(table.rows[pos, dim]))
    if table.kind == "learned":
        return rf"p_k = P_k, \qquad P_{{{pos},{dim}}} = {value}"
    wave, twice = (r"\cos" if dim % 2 else r"\sin"), dim // 2 * 2
    general = (
        r"PE_{p,2i} = \sin\frac{p}{10000^{2i/d}}, \qquad PE_{p,2i+1} = \cos\frac{p}{10000^{2i/d}},"
        r"\qquad 0 \le p < L,\ 0 \le i < d/2"
    )
    numbers = rf"PE_{{{pos},{dim}}} = {wave}\frac{{{pos}}}{{10000^{{{twice}/{D}}}}} = {value}"
    return rf"\begin{{aligned}} & {general} \\ & {numbers} \end{{aligned}}"


# ---- the page, top to bottom

page.title()
lead_place = st.container()
ask.ask(page, question, reset=("pos", "dim", "kind", "reader", "order"))
components.controls(key="controls", data=controls())
left, right = st.columns([1.2, 1], gap="large")
with left:
    components.waves(key="waves", data=waves_data(), on_selection_change=state.selecting("waves", TABLE))
components.clocks(key="clocks", data=clocks_data())
with right:
    follow.follow(page, TABLE, derivation_data, also=words)
page.notice(*notices())
why()
parts = (matrix_and_ruler, calculator, moving, distances, learned)
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
