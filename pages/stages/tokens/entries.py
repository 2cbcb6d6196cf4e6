"""A whole vocabulary to look through, a page of entries at a time."""

import html
from collections.abc import Mapping

import streamlit as st

from core.figures.controls import Control, Controls
from core.views.entries import SORTS, counted, found, ordinary
from core.zoo import SOURCES
from pages.shared.address.address import choice, whole, words
from pages.shared.address.visit import on_press
from pages.shared.page.controls import controls as page_controls
from pages.shared.page.controls import text_box
from pages.shared.page.parts import Html, door, heading, paragraph, table, write
from pages.shared.page.stage import Section
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts
from pages.stages.tokens.context import StageContext

LONGEST = 40  # characters that are looked for
ACROSS, DOWN = 6, 12
EACH = ACROSS * DOWN  # entries of a page
FREQUENT = "the"


def parameters(page, view):
    largest = max(len(cached.model(name).tokenizer) for name in SOURCES)
    scripts = {script for name in SOURCES for script in counted(pieces(name))["script"]}
    return {
        "of": choice(*SOURCES, default=page.address.model),
        "find": words(LONGEST, None),
        "sort": choice(*SORTS, default="all"),
        "script": choice("all", *sorted(scripts), default="all"),
        "leaf": whole(0, largest // EACH, None),
    }


def pieces(name: str) -> tuple[str, ...]:
    return cached.model(name).tokenizer.names


@cached.shared
def entries(name: str, find: str, sort: str, script: str) -> list[int]:
    return found(pieces(name), find, sort, script)


def opening(context: StageContext, ids: list[int]) -> int:
    """The chosen page; of a whole vocabulary that of a frequent word, else the first."""
    if context.values["leaf"] is not None:
        return context.values["leaf"]
    frequent = cached.model(context.values["of"]).tokenizer.id_of(FREQUENT)
    return frequent // EACH if frequent is not None and len(ids) == len(pieces(context.values["of"])) else 0


def draw(context: StageContext) -> None:
    t, values = context.t, context.values
    name, numbers = values["of"], counted(pieces(values["of"]))
    ids = entries(name, values["find"] or "", values["sort"], values["script"])
    leaf = min(opening(context, ids), max(0, (len(ids) - 1) // EACH))
    size, first = grouped(len(pieces(name))), ordinary(pieces(name))
    write(heading(t, "entries", size=size), *Texts(t.language, "tokens", name).if_said("entries.said", first=first))
    components.controls(key="entries_controls", data=controls(context, numbers).data())
    page_controls("find", text_box(context, "find", t("find_label"), LONGEST, also={"leaf": None}))
    write(grid(context, name, ids[leaf * EACH : (leaf + 1) * EACH]) if ids else paragraph(t, "entries.none"))
    turn(context, leaf, len(ids))
    door(context.page, "vocabulary", t("door_vocabulary"))


def controls(context: StageContext, numbers: Mapping[str, Mapping[str, int]]) -> Controls:
    t, alone = context.t, {"leaf": None}
    sorts = [(sort, f"{t(f'entries.sorts.{sort}')} {grouped(n)}") for sort, n in numbers["sort"].items() if n]
    scripts = [("all", t("entries.scripts.all"))]
    scripts += [(script, f"{named(context, script)} {grouped(n)}") for script, n in numbers["script"].items()]
    whose = [(name, t.model(name)) for name in SOURCES]
    return Controls(
        [
            Control("of", t("entries.of"), whose, also={**alone, "script": None, "sort": None}),
            Control("sort", t("entries.sort"), sorts, also=alone),
            Control("script", t("entries.script"), scripts, also=alone, stepper="always", plain=True),
        ]
    )


def named(context: StageContext, script: str) -> str:
    key = f"entries.scripts.{script}"
    return context.t(key) if key in context.t else script


def grid(context: StageContext, name: str, ids: list[int]) -> str:
    """Down the columns, as in a dictionary; an entry leads to its row of the embedding table."""
    columns = [ids[start : start + DOWN] for start in range(0, len(ids), DOWN)]
    rows = (
        [cell for column in columns for id in column[i : i + 1] for cell in entry(context, name, id)]
        for i in range(DOWN)
    )
    return table([row for row in rows if row], kind="entries")


def entry(context: StageContext, name: str, id: int) -> tuple[Html, Html]:
    other = {} if name == context.page.address.model else {"model": name}
    to = html.escape(context.page.href("embedding", **other, row=str(id)))
    text = f'<a href="{to}" target="_self"><bdi>{html.escape(pieces(name)[id])}</bdi></a>'
    return Html(f"<span class='soft'>{id}</span>"), Html(text)


def turn(context: StageContext, leaf: int, count: int) -> None:
    """Back and on, and where one is."""
    t = context.t
    with st.container(key="leaves", horizontal=True, vertical_alignment="center", gap="small"):
        back, on = (on_press(context, leaf=to) for to in (leaf - 1, leaf + 1))
        st.button(t("entries.back"), key="leaf_back", on_click=back, disabled=leaf == 0)
        leaves = max(1, -(-count // EACH))
        where = t.html("entries.where", leaf=grouped(leaf + 1), leaves=grouped(leaves))
        st.html(f"<span class='soft'>{where}</span>", width="content")
        st.button(t("entries.on"), key="leaf_on", on_click=on, disabled=leaf + 1 >= leaves)


SECTION = Section(draw, parameters, redraws=("of", "find", "sort", "script", "leaf"))
