"""A text that is longer than a row may be: cut, in windows, with a memory."""

import html
from functools import partial

import streamlit as st

from core.views import longer
from core.views.longer import PARTS, Cut, Parts, cut, in_parts
from pages.shared import cached, visit
from pages.shared.address import whole
from pages.shared.parts import heading, paragraph, table, write
from pages.shared.stage import Section, Stage
from pages.shared.texts import clip
from pages.stages.tokens.look import Look

LEAST, OPENING = 3, 6  # tokens of a row
MOST = 512
PART = 48  # characters of a part's tokens


def parameters(page, view):
    return {"most": whole(LEAST, MOST, OPENING, ends="sentence")}


def draw(look: Look) -> None:
    t, name, model = look.t, look.page.address.model, look.page.model
    all = look.view.total + look.view.truncated
    highest = max(LEAST + 1, min(model.config.positions, all))
    most = min(look.values["most"], highest)
    limit = {"model": look.page.model_name, "limit": model.config.positions, "whole": all}
    write(heading(t, "length"), paragraph(t, "length.said", **limit))
    held = visit.hand("most_in", most, partial(moved, look.page.stage))
    st.slider(t("length.most"), LEAST, highest, width=480, **held)
    key = name, look.page.text
    longest = cached.remember(("whole", *key), lambda: longer.whole(model, look.page.text))
    lost = cached.remember(("cut", *key, most), lambda: cut(model, look.page.text, most, longest))
    parts = cached.remember(("parts", *key, most), lambda: in_parts(model, longest, most))
    write(
        f"<h3>{t.html('length.cut')}</h3>",
        kept(look, lost),
        *what_is_lost(look, lost, most),
        f"<h3>{t.html('length.parts')}</h3>",
        *read(look, parts, most),
    )


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
    facts = {"at": lost.at, "lost": gone, "kept": len(lost.tokens), "alike": lost.alike}
    beyond = lost.whole > look.page.model.config.positions
    said = [paragraph(t, "length.lost_beyond" if beyond else "length.lost", **facts)]
    return [*said, paragraph(t, "length.torn", word=lost.torn)] if lost.torn else said


def read(look: Look, parts: Parts, most: int) -> list[str]:
    t, count = look.t, len(parts.parts)
    word, other = parts.replaced
    said = [paragraph(t, "length.parts_said", most=most)]
    if count == 1:
        return [*said, paragraph(t, "length.one")]
    head = [t(f"length.{name}") for name in ("part", "tokens", "windows", "memory", "whole")]
    rows = [
        [n, " ".join(token.text for token in part), *reading]
        for n, (part, *reading) in enumerate(zip(parts.parts, parts.windows, parts.memory, parts.whole, strict=True), 1)
    ]
    shown = table([[n, clip(text, PART), *rest] for n, text, *rest in rows], head)
    more = count == PARTS and sum(map(len, parts.parts)) < look.view.total + look.view.truncated
    return [
        *said,
        paragraph(t, "length.how", word=word, other=other),
        shown,
        paragraph(t, "length.only", parts=PARTS) if more else "",
        paragraph(t, "length.windows_said") if not any(parts.windows[1:]) else "",
        paragraph(t, "length.reach", layers=look.page.model.config.layers, **reach(parts)),
        paragraph(t, "length.honest"),
    ]


def reach(parts: Parts) -> dict[str, object]:
    """The last part that heard of the change, and how much."""
    last = max(i for i, moved in enumerate(parts.memory) if moved or not i)
    return {"last": last + 1, "moved": parts.memory[last]}


SECTION = Section(draw, parameters, redraws=("most",))
