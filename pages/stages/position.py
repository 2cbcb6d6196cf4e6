"""Position: what says where a token stands. Waves to the bottom, the learned table, and reading without either."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core.derivation.position import derive_cell
from core.lessons.position import rotation, turned
from core.model.position import LearnedPosition, SinusoidalPosition, per_radian, waves
from core.questions.position import after_swap, farther_apart
from core.views import position as views
from core.views.embedding import averaged
from core.views.position import Built, PositionTable
from pages.shared import ask, cached, compare, components, follow, state
from pages.shared.numbers import grouped, short
from pages.shared.open_it import OPEN, Opened, csv, open_it
from pages.shared.page import Page, Strip, current, paragraphs
from pages.shared.state import choice, whole
from pages.stages import position_calculator, position_distances, position_learned, position_orders
from pages.stages.position_calculator import calculator, moving
from pages.stages.position_distances import distances
from pages.stages.position_learned import learned_table
from pages.stages.position_orders import scenes_of, why
from pages.stages.position_parts import WINDOW, clock_words, dimensions, headline, lines, matrix_words, part, typed

ROWS = 32  # positions of the whole matrix that are shown at once
STACK = 300_000  # bytes: up to this size the browser gets everything a click can ask for
LENGTHS = 256, 512, 5000  # rows: tensor2tensor's longest sentence in training, BERT's, and tutorials' usual buffer
LONGEST = 10_000  # rows of a table to build
SECTIONS = ("table", "calculator", "moving", "far", "learned")


# ---- what is looked at


def parameters(page: Page) -> dict[str, state.Parameter]:
    positions, d = TABLES["sinusoidal"].rows.shape
    return {
        "pos": whole(0, positions - 1, opening_position(page)),
        "dim": whole(0, d - 1, d // 8),
        "max_len": whole(1, LONGEST, positions),
        "row": replace(whole(0, LONGEST - 1, 0), default=None),
        "kind": choice(*TABLES, default="sinusoidal"),
        **position_orders.own_parameters(SCENES),
        **position_calculator.PARAMETERS,
        **position_distances.PARAMETERS,
        **position_learned.own_parameters(LEARNED),
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
SCENES = scenes_of(page)
question = after_swap(SCENES.get("own")) or farther_apart(WAVES)
veiled = ask.is_open(page, question)
VEIL = question.template if veiled else ""
APART_VEILED = VEIL == "farther_apart"
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
            **clock_words(page),
        }
    }


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


# ---- the number being followed


def derivation_data(now: dict) -> dict:
    pos, dim, table = int(now["pos"]), int(now["dim"]), TABLES[str(now["kind"])]
    derivation = derive_cell(table, pos, dim)
    check = "check.table" if table.kind == "sinusoidal" else "check.row"
    steps = lines(page, derivation, check, pos=pos)
    if table.kind == OWN_KIND and pos < N:
        captured = float(run()["embedding.position"][pos, dim])
        difference = short(abs(float(table.rows[pos, dim]) - captured))
        steps[-1]["check"] += page.t("check.tap", difference=difference)
    place = page.t("follow_cell", position=pos, dim=dim)
    token = f"{page.name(pos)} · " if pos < N else ""
    told = {**headline(page, derivation), "params": ["pos", "dim", "kind"], "main": True}
    return {**told, "id": f"{table.kind}/{pos}/{dim}", "where": token + place, "steps": steps}


def run():
    return cached.capture(page.address.model, page.text, only=("embedding.position",))


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


# ---- the whole matrix, and the wavelengths


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
        "columns": dimensions(page, D),
        "whole": {"rows": blocks.shape[0], "columns": blocks.shape[1], "of": table.rows.shape, "reach": 1.0},
        "reach": 1,
        "tall": 8 * ROWS,
        "words": matrix_words(page, "whole.label", t("whole.caption"), whole=t("whole.whole", n=grouped(n))),
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
    return {"controls": [presets, {**typed(page, "max_len", 1, LONGEST), "also": {"row": None}}]}


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
    steps = lines(page, derivation, "check.table", pos=row)
    if others:
        apart = max(abs(float(built(n).table.rows[row, dim]) - cell) for n in others)
        lengths = t("built.and").join(map(grouped, others))
        steps[-1]["check"] += t("built.same", lengths=lengths, difference=short(apart))
    return {**shown, **headline(page, derivation, "built.follow"), "steps": steps}


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
    part(page, "whole", d_model=D)
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
why(page, SCENES, veiled=VEIL == "after_swap")
parts = (
    matrix_and_ruler,
    lambda: calculator(page, TABLE, D),
    lambda: moving(page, TABLE, TABLES, APART_VEILED),
    lambda: distances(page, TABLE, WAVES, APART_VEILED),
    lambda: learned_table(page, TABLE, LEARNED, "learned" in TABLES, APART_VEILED),
)
page.sections(values["section"], dict(zip(SECTIONS, parts, strict=True)))
open_it(page, opened)
page.next_stop()
