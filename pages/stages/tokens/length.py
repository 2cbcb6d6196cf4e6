"""A text that is longer than a row may be: cut, in windows, with a memory."""

import html
from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.derivation import Cell, Measure, RunSpec
from core.derivation.origins import within
from core.figures.followed import Traced
from core.text.token import Token
from core.views import longer
from core.views.longer import PARTS, WAYS, Cut, Parts, Whole, cut, in_parts, read_in_parts
from pages.shared.address import visit
from pages.shared.address.address import whole
from pages.shared.number.follow import follow, of_rows
from pages.shared.number.number_links import number
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import Section, Stage
from pages.shared.server import cached
from pages.shared.words.texts import clip
from pages.stages.tokens.look import Look

LEAST, OPENING = 3, 6  # tokens of a row
MOST = 512
PART = 48  # characters of a part's tokens
FOLLOWS = "length_followed"
UNSPELLABLE = "☃"


def parameters(page, view):
    return {"most": whole(LEAST, MOST, OPENING, ends="sentence")}


def draw(look: Look) -> None:
    t, model = look.t, look.page.model
    highest, most = highest_of(look), most_of(look)
    limit = {"model": look.page.model_name, "limit": model.config.positions, "whole": all_of(look)}
    write(heading(t, "length"), paragraph(t, "length.said", **limit))
    held = visit.controlled("most_in", most, partial(moved, look.page.stage))
    st.slider(t("length.most"), LEAST, highest, width=480, **held)
    lost, longest, parts = lost_of(*look.key, most), whole_of(*look.key), parts_of(*look.key, most)
    write(f"<h3>{t.html('length.cut')}</h3>", kept(look, lost), *what_is_lost(look, lost, most))
    follow(look, followed, key=FOLLOWS)
    write(f"<h3>{t.html('length.parts')}</h3>", *read(look, parts, longest, most))


def all_of(look: Look) -> int:
    """The tokens that there would be without any limit."""
    return look.view.total + look.view.truncated


def highest_of(look: Look) -> int:
    return max(LEAST + 1, min(look.page.model.config.positions, all_of(look)))


def most_of(look: Look) -> int:
    return min(look.values["most"], highest_of(look))


@cached.shared
def lost_of(name: str, text: str, most: int) -> Cut:
    return cut(cached.model(name), text, most, whole_of(name, text))


@cached.shared
def whole_of(name: str, text: str) -> Whole:
    return longer.whole(cached.model(name), text)


@cached.shared
def parts_of(name: str, text: str, most: int) -> Parts:
    return in_parts(cached.model(name), whole_of(name, text), most)


# ---- what can be followed: a row that a text of its own would make, too


def read_so(look: Look, text: str, row: Sequence[Token]) -> bool:
    """Whether this text makes this row."""
    tokens = cached.trace(look.page.address.model, text).tokens
    return [token.id for token in tokens] == [token.id for token in row]


def last(look: Look, token: int | None = None) -> Cell:
    return Cell(look.page.model.reader.exit, (token, None))


def of_cut(look: Look, lost: Cut) -> Measure | None:
    """How alike the row that is left is to the whole one."""
    text = look.page.text[: lost.at]
    if lost.at is None or not read_so(look, text, lost.tokens):
        return None
    return Measure("middles", (within(last(look), RunSpec(text)), last(look)))


def of_parts(look: Look, longest: Whole, parts: Parts, most: int, way: str, text: str | None) -> list[Measure | None]:
    """What moved most in each part, once the first token is another, as in `text`, where the run at hand can be read
    that way."""
    edits = () if way == "whole" else read_in_parts(most, WAYS.index(way))
    some = way != "whole" and parts.moved.shape[1] < len(longest.row)
    if some or text is None:
        return [None for _ in parts.parts]
    here, there = RunSpec(edits=edits) if edits else None, RunSpec(text, edits=edits)
    rows = [last(look, token) for token in parts.farthest(way)]
    return [Measure("apart", (within(row, here), within(row, there))) for row in rows]


def exchanged(look: Look, longest: Whole) -> str | None:
    """The text whose row has the other token: with its name typed, or with a character that nothing spells."""
    text, was, other = look.page.text, longest.row[longest.at], longest.other[longest.at].text
    typed = (text[: was.start] + instead + text[was.end :] for instead in (other, UNSPELLABLE))
    return next((text for text in typed if read_so(look, text, longest.other)), None)


def followed(look: Look) -> Traced:
    """How alike what is left is to the whole; where nothing can be compared, how long the first vector is."""
    return of_rows(look, of_cut(look, lost_of(*look.key, most_of(look))) or Measure("length", (last(look, 0),)))


def pressed(look: Look, value: float, what: Measure | None) -> float:
    return number(look, value, what) if what else value


def moved(stage: Stage, most: int) -> None:
    visit.apply(stage, {"most": most})


def kept(look: Look, lost: Cut) -> str:
    """The text; what is lost of it is struck out."""
    text, at = look.page.text, len(look.page.text) if lost.at is None else lost.at
    gone = f"<s class='soft'>{html.escape(text[at:])}</s>" if at < len(text) else ""
    return f"<p class='said'><bdi>{html.escape(text[:at])}{gone}</bdi></p>"


def what_is_lost(look: Look, lost: Cut, most: int) -> list[str]:
    t, gone = look.t, lost.whole - len(lost.tokens)
    if not gone or lost.at is None:
        return [paragraph(t, "length.nothing", whole=lost.whole, most=most)]
    facts: dict[str, object] = {"at": lost.at, "lost": gone, "kept": len(lost.tokens)}
    facts["alike"] = pressed(look, lost.alike, of_cut(look, lost))
    beyond = lost.whole > look.page.model.config.positions
    said = [paragraph(t, "length.lost_beyond" if beyond else "length.lost", **facts)]
    return [*said, paragraph(t, "length.torn", word=lost.torn)] if lost.torn else said


def read(look: Look, parts: Parts, longest: Whole, most: int) -> list[str]:
    t, count = look.t, len(parts.parts)
    word, other = parts.replaced
    said = [paragraph(t, "length.parts_said", most=most)]
    if count == 1:
        return [*said, paragraph(t, "length.one")]
    head = [t(f"length.{name}") for name in ("part", "tokens", *WAYS)]
    text = exchanged(look, longest)
    moved = {way: moved_most(look, parts, of_parts(look, longest, parts, most, way, text), way) for way in WAYS}
    texts = [clip(" ".join(token.text for token in part), PART) for part in parts.parts]
    shown = table([[n, *row] for n, row in enumerate(zip(texts, *moved.values(), strict=True), 1)], head)
    more = count == PARTS and sum(map(len, parts.parts)) < all_of(look)
    return [
        *said,
        paragraph(t, "length.how", word=word, other=other),
        shown,
        paragraph(t, "length.only", parts=PARTS) if more else "",
        paragraph(t, "length.windows_said") if not any(moved["windows"][1:]) else "",
        paragraph(t, "length.reach", layers=look.page.model.config.layers, **reach(moved["memory"])),
        paragraph(t, "length.honest"),
    ]


def moved_most(look: Look, parts: Parts, found: list[Measure | None], way: str) -> list[float]:
    return [pressed(look, value, what) for value, what in zip(parts.most(way), found, strict=True)]


def reach(memory: list[float]) -> dict[str, object]:
    """The last part that heard of the change, and how much."""
    last = max(i for i, moved in enumerate(memory) if moved or not i)
    return {"last": last + 1, "moved": memory[last]}


SECTION = Section(draw, parameters, ("most",), {FOLLOWS: ()}, follows=FOLLOWS)
