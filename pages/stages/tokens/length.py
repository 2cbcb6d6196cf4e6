"""A text that is longer than a row may be: cut, in windows, with a memory."""

import html
from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.derivation import Cell, Measure, RunSpec
from core.derivation.origins import within
from core.figures.controls import Control, Controls, numbered
from core.figures.followed import Traced
from core.figures.matrix import Axis, Matrix
from core.text.token import Token
from core.views import longer
from core.views.longer import PARTS, WAYS, Cut, Parts, Whole, cut, in_parts, read_in_parts, spread
from core.zoo import Model
from pages.shared.address.address import choice, whole
from pages.shared.number.follow import follow, of_rows
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, typed
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached
from pages.shared.words.texts import Texts, clip
from pages.stages.tokens.context import StageContext

LEAST, OPENING = 3, 4  # tokens of a row
MOST = 512
COLUMNS = 60  # tokens in the picture
OPENING_WAY = "memory"
PART = 48  # characters of a part's tokens
FOLLOWS = "length_followed"
UNSPELLABLE = "☃"


def parameters(page, view):
    read = whole(1, PARTS, None, ends="sentence")
    return {
        "most": whole(LEAST, MOST, OPENING, ends="sentence"),
        "way": choice(*WAYS, default=OPENING_WAY),
        "read": read,
    }


def takes(model: Model) -> str:
    """Whether a table of positions ends, or they are computed and the end is the site's own."""
    return "said" if model.config.position == "learned" else "said_computed"


def draw(context: StageContext) -> None:
    t, model = context.t, context.page.model
    highest, most = highest_of(context), most_of(context)
    limit = {"model": context.page.model_name, "limit": model.config.positions, "whole": all_of(context)}
    key = "lowered" if most < limit["whole"] else "fits" if limit["whole"] > LEAST else "short"
    limited = t(f"length.{key}", most=most)
    write(heading(t, "length"), paragraph(t, f"length.{takes(model)}", **limit), f"<p class='said'>{limited}</p>")
    controls("length", typed(t, "most", t("length.most"), LEAST, highest, also={"read": None}))
    lost, longest, parts = lost_of(*context.key, most), whole_of(*context.key), parts_of(*context.key, most)
    shown, found = read(context, parts, longest, most)
    left, right = st.columns([1.1, 1], gap="large")
    with left:
        write(f"<h3>{t.html('length.cut')}</h3>", kept(context, lost), *what_is_lost(context, lost, most))
        write(f"<h3>{t.html('length.parts')}</h3>", *shown)
    with right:
        follow(context, followed, key=FOLLOWS)
    text = exchanged(context, longest)
    if len(parts.parts) > 1 and text is not None:
        write(f"<h3>{t.html('length.spread')}</h3>", paragraph(t, "length.spread_said"))
        left, right = st.columns([1.3, 1], gap="large")
        with left:
            components.controls(key="way", data=ways(t, len(parts.parts)).data())
            changes = spread_of(*context.key, text, most)
            components.matrix(key="spread", data=spreading(context, changes).pack())
        with right:
            write(*found)
    elif found:
        write(*found)


def all_of(context: StageContext) -> int:
    """The tokens that there would be without any limit."""
    return context.view.total + context.view.truncated


def highest_of(context: StageContext) -> int:
    return max(LEAST + 1, min(context.page.model.config.positions, all_of(context)))


def most_of(context: StageContext) -> int:
    return min(context.values["most"], highest_of(context))


@cached.shared
def lost_of(name: str, text: str, most: int) -> Cut:
    return cut(cached.model(name), text, most, whole_of(name, text))


@cached.shared
def whole_of(name: str, text: str) -> Whole:
    return longer.whole(cached.model(name), text)


@cached.shared
def parts_of(name: str, text: str, most: int) -> Parts:
    return in_parts(cached.model(name), whole_of(name, text), most)


@cached.shared
def spread_of(name: str, text: str, other: str, most: int) -> np.ndarray:
    """[way, depth, token]: how far the change of one token has come."""
    model = cached.model(name)
    planes = []
    for reach, way in enumerate(WAYS):
        edits = () if way == "whole" else read_in_parts(model, most, reach)
        runs = [cached.capture(name, each, only=model.depths(), edits=edits) for each in (text, other)]
        planes.append(spread(model, *runs)[:, :COLUMNS])
    return np.stack(planes)


def ways(t: Texts, parts: int) -> Controls:
    way = Control("way", t("length.way"), [(way, t(f"length.{way}")) for way in WAYS], first=OPENING_WAY)
    plays = t("length.play"), t("length.rest")
    return Controls(
        [way, Control("read", t("length.read"), numbered(parts), first=parts, stepper="always", plays=plays)]
    )


def spreading(context: StageContext, found: np.ndarray) -> Matrix:
    """Each depth against each token, once so many parts are read; what has not moved at all is left blank."""
    t, (_, depths, count) = context.t, found.shape
    moved = {way: np.where(plane > 0, plane, np.nan) for way, plane in zip(WAYS, found, strict=True)}
    most, whole = most_of(context), {f"{way}/": plane for way, plane in moved.items()}
    partly = {f"{way}/{n}": so_far(moved[way], way, n * most) for way in WAYS for n in range(1, PARTS + 1)}
    return Matrix(
        id="spread",
        fragment="section",
        name=("way", "read"),
        planes=whole | partly,
        rows=Axis("depth", depths, list(map(str, range(depths)))),
        columns=Axis("spread", count, in_columns(context.page.tokens[:count], most)),
        reach=float(np.quantile(found[found > 0], 0.9)),
        tall=26 * depths,
        still=True,
        words=matrix_words(t, "length.spread_label", caption=t("length.spread_caption")),
    )


def so_far(moved: np.ndarray, way: str, read: int) -> np.ndarray:
    """Without the tokens that are still to be read; in one row all are read at once."""
    return moved if way == "whole" else np.where(np.arange(moved.shape[1]) < read, moved, np.nan)


def in_columns(tokens: Sequence[str], most: int) -> list[str]:
    """The tokens' names, with a bar before the first of each later part."""
    return [f"| {token}" if i and i % most == 0 else token for i, token in enumerate(tokens)]


# ---- what can be followed: a row that a text of its own would make, too


def read_so(context: StageContext, text: str, row: Sequence[Token]) -> bool:
    """Whether this text makes this row."""
    tokens = cached.trace(context.page.address.model, text).tokens
    return [token.id for token in tokens] == [token.id for token in row]


def last(context: StageContext, token: int | None = None) -> Cell:
    return Cell(context.page.model.reader.exit, (token, None))


def of_cut(context: StageContext, lost: Cut) -> Measure | None:
    """How alike the row that is left is to the whole one."""
    text = context.page.text[: lost.at]
    if lost.at is None or not read_so(context, text, lost.tokens):
        return None
    return Measure("middles", (within(last(context), RunSpec(text)), last(context)))


def of_parts(
    context: StageContext, longest: Whole, parts: Parts, most: int, way: str, text: str | None
) -> list[Measure | None]:
    """What moved most in each part, once the first token is another, as in `text`, where the run at hand can be read
    that way."""
    edits = () if way == "whole" else read_in_parts(context.page.model, most, WAYS.index(way))
    some = way != "whole" and parts.moved.shape[1] < len(longest.row)
    if some or text is None:
        return [None for _ in parts.parts]
    here, there = RunSpec(edits=edits) if edits else None, RunSpec(text, edits=edits)
    rows = [last(context, token) for token in parts.farthest(way)]
    return [Measure("apart", (within(row, here), within(row, there))) for row in rows]


def exchanged(context: StageContext, longest: Whole) -> str | None:
    """The text whose row has the other token: with its name typed, or with a character that nothing spells."""
    text, was, other = context.page.text, longest.row[longest.at], longest.other[longest.at].text
    typed = (text[: was.start] + instead + text[was.end :] for instead in (other, UNSPELLABLE))
    return next((text for text in typed if read_so(context, text, longest.other)), None)


def followed(context: StageContext) -> Traced:
    """How much the change moved in the second part, read in one row; where there is none, how alike what is left is to
    the whole; where nothing can be compared, how long the first vector is."""
    most = most_of(context)
    longest, parts = whole_of(*context.key), parts_of(*context.key, most)
    text = exchanged(context, longest)
    moved = of_parts(context, longest, parts, most, "whole", text)[1:2] if len(parts.parts) > 1 else []
    cut = of_cut(context, lost_of(*context.key, most))
    return of_rows(context, next(filter(None, moved), cut) or Measure("length", (last(context, 0),)))


def pressed(context: StageContext, value: float, what: Measure | None) -> float:
    return number(context, value, what) if what else value


def kept(context: StageContext, lost: Cut) -> str:
    """The text; what is lost of it is struck out."""
    text, at = context.page.text, len(context.page.text) if lost.at is None else lost.at
    gone = f"<s class='soft'>{html.escape(text[at:])}</s>" if at < len(text) else ""
    return f"<p class='said'><bdi>{html.escape(text[:at])}{gone}</bdi></p>"


def what_is_lost(context: StageContext, lost: Cut, most: int) -> list[str]:
    t, gone = context.t, lost.whole - len(lost.tokens)
    if not gone or lost.at is None:
        return [paragraph(t, "length.nothing", whole=lost.whole, most=most)]
    facts: dict[str, object] = {"at": lost.at, "lost": gone, "kept": len(lost.tokens)}
    facts["alike"] = pressed(context, lost.alike, of_cut(context, lost))
    beyond = lost.whole > context.page.model.config.positions
    said = [paragraph(t, "length.lost_beyond" if beyond else "length.lost", **facts)]
    return [*said, paragraph(t, "length.torn", word=lost.torn)] if lost.torn else said


def read(context: StageContext, parts: Parts, longest: Whole, most: int) -> tuple[list[str], list[str]]:
    """The parts and how far each moved, and what that says of each way of reading."""
    t, count = context.t, len(parts.parts)
    word, other = parts.replaced
    said = [paragraph(t, "length.parts_said", most=most)]
    if count == 1:
        return [*said, paragraph(t, "length.one")], []
    head = [t(f"length.{name}") for name in ("part", "tokens", *WAYS)]
    text = exchanged(context, longest)
    moved = {way: moved_most(context, parts, of_parts(context, longest, parts, most, way, text), way) for way in WAYS}
    texts = [clip(" ".join(token.text for token in part), PART) for part in parts.parts]
    shown = table([[n, *row] for n, row in enumerate(zip(texts, *moved.values(), strict=True), 1)], head)
    more = count == PARTS and sum(map(len, parts.parts)) < all_of(context)
    only = paragraph(t, "length.only", parts=PARTS) if more else ""
    found = [
        paragraph(t, "length.windows_said") if not any(moved["windows"][1:]) else "",
        paragraph(t, "length.reach", layers=context.page.model.config.layers, **reach(moved["memory"])),
        paragraph(t, "length.honest"),
    ]
    typed = text is not None and text.startswith(UNSPELLABLE, longest.row[longest.at].start)
    as_typed = t("length.as_typed", typed=UNSPELLABLE, token=other) if typed else other
    return [*said, paragraph(t, "length.how", word=word, other=as_typed), shown, only], found


def moved_most(context: StageContext, parts: Parts, found: list[Measure | None], way: str) -> list[float]:
    return [pressed(context, value, what) for value, what in zip(parts.most(way), found, strict=True)]


def reach(memory: list[float]) -> dict[str, object]:
    """The last part that heard of the change, and how much."""
    last = max(i for i, moved in enumerate(memory) if moved or not i)
    return {"last": last + 1, "moved": memory[last]}


SECTION = Section(draw, parameters, ("most",), {FOLLOWS: ()}, follows=FOLLOWS)
