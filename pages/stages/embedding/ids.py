"""Any ids, looked up: the rows stand in the table in the order of their ids, and come out in the order asked for."""

import html
import inspect
import math

import streamlit as st

from core.derivation import RunSpec, Weight
from core.derivation.flow import TABLE
from core.lessons.lookup import look_up
from core.views.embedding import table as table_of
from core.zoo import Model, able
from pages.shared.address.address import LONGEST_VALUE, Parameter, Table
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, text_box
from pages.shared.page.parts import Html, heading, paragraph, table, write
from pages.shared.page.stage import PageContext, Section
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.embedding.context import StageContext

FIGURE = "71 8 1234 5"  # of the handout's drawing
HANDOUT = (1, 5, 23, 9, 0)
SEPARATORS = str.maketrans(dict.fromkeys(",，、;[]()", " "))
MOST = 12  # ids
DIGITS = 15  # of one
LONGEST = 200  # characters of them
FIRST = 3  # numbers of a row
HIGH, WIDE = 26, 80  # pixels: a row, as the stylesheet has it, and the room between the two tables
OTHER = able("cut words")  # whose table is larger


def read(raw: str) -> str | None:
    """Ids between commas, spaces or brackets, as they are written; None where there are none, or not only ids."""
    words = raw.translate(SEPARATORS).split() if len(raw) <= LONGEST_VALUE else []
    fits = 0 < len(words) <= MOST and all(w.isascii() and w.isdigit() and len(w) <= DIGITS for w in words)
    return " ".join(str(int(word)) for word in words) if fits else None


def parameters(page: PageContext, view) -> Table:
    return {"ids": Parameter(read, FIGURE, page.t("ids.allowed", most=MOST), kept=LONGEST)}


def draw(context: StageContext) -> None:
    t = context.t
    ids = [int(id) for id in context.values["ids"].split()]
    write(heading(t, "ids"), paragraph(t, "ids.said"))
    shown = context.values["ids"]
    controls("ids", text_box(context, "ids", t("ids.label"), LONGEST, "ids.unread", shown))
    own = cached.model(context.page.address.model)
    refused = next((id for id in ids if id >= len(own.tokenizer)), None)
    if refused is not None:
        facts = {"id": refused, "vocab": grouped(len(own.tokenizer)), "error": error(len(own.tokenizer), refused)}
        write(paragraph(t, "ids.refused", model=context.page.model_name, **facts))
    model = own if refused is None else cached.model(OTHER)
    if all(id < len(model.tokenizer) for id in ids):
        if refused is not None:
            write(paragraph(t, "ids.instead"))
        pictures(context, model, ids)
    write(paragraph(t, "ids.module"))
    st.code(f"{inspect.getsource(look_up)}\nlook_up([{list(HANDOUT)}]).shape  # {ran()}", language="python")


@cached.shared
def ran() -> str:
    """The shape that comes out when the handout's line is run."""
    return f"{tuple(look_up([HANDOUT]).shape)}"


@cached.shared
def error(vocab: int, id: int) -> str:
    """What PyTorch says of a row that is not there."""
    try:
        look_up([[id]], vocab=vocab, d_model=1)
    except IndexError as refused:
        return f"IndexError: {refused}"
    return ""


# ---- the table, and what comes out of it


def pictures(context: StageContext, model: Model, ids: list[int]) -> None:
    """Rows of the table in its order, and beside them what comes out."""
    t, rows, pieces = context.t, table_of(model), model.tokenizer.names
    ordered, shape = sorted(set(ids)), {"vocab": grouped(len(rows)), "d_model": rows.shape[1], "n": len(ids)}
    inside: list[list[object]] = []
    for id, before in zip(ordered, [-1, *ordered], strict=False):
        if id > before + 1:
            inside.append(["⋮"])
        inside.append(numbers(context, model, f"E[{id}]", id, pieces[id]))
    outside = [numbers(context, model, f"out[{i}] = E[{id}]", id, pieces[id]) for i, id in enumerate(ids)]
    places = [inside.index(next(line for line in inside if line[0] == f"E[{id}]")) for id in ids]
    left, right = (
        f"<figure><figcaption class='soft'>{t.html(f'ids.{name}', **shape)}</figcaption>{table(lines)}</figure>"
        for name, lines in (("table", inside), ("out", outside))
    )
    write(f"<div class='fetched'>{left}{threads(places, len(inside))}{right}</div>")
    names = {"ids": ", ".join(map(str, ids)), "rows": ", ".join(map(str, ordered))}
    figure = paragraph(t, "ids.figure") if names["ids"] == ", ".join(FIGURE.split()) else ""
    order = "ids.repeated" if len(set(ids)) == 1 else "ids.sorted" if ordered == ids else "ids.order"
    if len(ids) > 1:
        write(paragraph(t, order, **names), figure)


def threads(places: list[int], rows: int) -> str:
    """From each row of the table to where it comes out, drawn one after the other."""

    def thread(out: int, row: int) -> str:
        down = HIGH * (out - row)
        look = f"top:{HIGH * (row + 0.5):g}px;width:{math.hypot(WIDE, down):.1f}px;animation-delay:{0.4 * out:.1f}s"
        return f"<i style='{look};rotate:{math.atan2(down, WIDE):.4f}rad'></i>"

    lines = "".join(thread(out, row) for out, row in enumerate(places))
    high = HIGH * max(rows, len(places))
    return f"<div class='threads' style='width:{WIDE}px;height:{high}px' aria-hidden='true'>{lines}</div>"


def numbers(context: StageContext, model: Model, name: str, id: int, piece: str) -> list[object]:
    """The first numbers of a row, of this page's table or of the other model's."""
    given = None if model.id == context.page.address.model else RunSpec(model=OTHER)
    row = table_of(model)[id, :FIRST]
    first = [number(context, x, Weight(TABLE, (id, dim)), given=given) for dim, x in enumerate(row)]
    return [name, Html(f"<bdi>{html.escape(piece)}</bdi>"), *first, "…"]


SECTION = Section(draw, parameters, redraws=("ids",))
