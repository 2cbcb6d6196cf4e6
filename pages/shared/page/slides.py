"""Slides: each stage in a few steps, one idea each, for a class (`present=1`) or for somebody alone (`tour=…`).

Their words and what of the page they set stand in the stage's lesson; `slide=` in the address says which one it is.
A slide sets declared parameters and nothing else, so what it shows is the page's own, and a veil stays where it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal
from urllib.parse import parse_qsl

import streamlit as st

from core.exercises import of_stage
from core.figures.begin import Begin
from core.figures.slides import Slides, Told
from core.stages import STAGES
from pages.shared.address.address import Address, Table, whole
from pages.shared.page.claims import CLAIMS
from pages.shared.page.stage import SLIDE, TASK, StageContext
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.server.base_path import base_path
from pages.shared.words.texts import Texts, lesson
from pages.shared.words.texts import words as words_of

OF_PAGE = ("sets", "see", "short", "answers")  # what a lesson says of a slide besides its words
FIRST = STAGES[0].slug
WORDS = (
    "back",
    "next",
    "leave",
    "leave_title",
    "notes",
    "notes_title",
    "number",
    "picture",
    "end",
    "place",
    "then",
    "since",
    "blocked",
    "tour",
)


@dataclass(frozen=True)
class Slide:
    """One idea of a stage."""

    number: int  # from 1, as the address counts them
    id: str  # of its words
    sets: Mapping[str, str]  # declared parameters of its stage
    see: str  # which of a page's pictures it is about, where there are several
    short: bool  # whether the short path takes it in
    answers: bool  # whether its words would answer the question of its stage


@cache
def slides_of(slug: str, traits: tuple[str, ...] = ()) -> tuple[Slide, ...]:
    """A stage's slides, in the order of its lesson, for models with these traits: these differ in what they set. Of a
    page that is no stage there are none."""
    words = words_of("en", slug, traits=traits)
    ids = [key.split(".")[1] for key in lesson(slug)["en"] if key.startswith("slides.") and key.endswith(".says")]

    def of(number: int, id: str) -> Slide:
        sets, see, short, answers = (words.get(f"slides.{id}.{name}", "") for name in OF_PAGE)
        return Slide(number, id, dict(parse_qsl(sets)), see or "picture", bool(short), bool(answers))

    return tuple(of(number, id) for number, id in enumerate(ids, 1))


@cache
def resets_of(slug: str) -> tuple[str, ...]:
    """Whatever any slide of a stage sets: another slide lets go of it."""
    return tuple(sorted({name for slide in slides_of(slug) for name in slide.sets}))


# ---- the address


def parameters(slug: str) -> Table:
    return {SLIDE: whole(1, max(1, count(slug)), None)}


def count(slug: str) -> int:
    """How many slides of a stage a class may be shown: its own, and one of exercises, where there are any for it."""
    return len(slides_of(slug)) + any(not one.apart for one in of_stage(slug))


def open_at(address: Address, slug: str, opened_by: Sequence[str], opened: bool) -> None:
    """Who comes to a page by a link to a slide sees what it sets; the question stays as open as it is."""
    number = parameters(slug)[SLIDE].parse(address.raw.get(SLIDE, "1"))
    slides = slides_of(slug, cached.model(address.model).traits)
    asked = address["present"] or address["tour"] or SLIDE in address.raw
    if not (opened and asked and isinstance(number, int) and number <= len(slides)):
        return
    sets = slides[number - 1].sets
    if any(name in address.raw for name in resets_of(slug)):  # a link to more than a slide
        return
    address.raw.update(sets)
    if address["guess"] is None and any(name in opened_by for name in sets):
        address.set("guess", "open")


def open_task(address: Address, slug: str, opened: bool, tasks: Sequence[str]) -> None:
    """Who comes by a link to a class's last slide sees the first of the exercises that can be done there."""
    number = parameters(slug)[SLIDE].parse(address.raw.get(SLIDE, ""))
    last = isinstance(number, int) and number > len(slides_of(slug))
    if not (opened and address["present"] and last and tasks) or TASK in address.raw:
        return
    address.raw[TASK] = tasks[0]
    if address["guess"] is None:
        address.set("guess", "open")


def read(address: Address, slug: str) -> dict[str, Any]:
    """The slide that is shown: the first, where slides are shown and none is named."""
    values = address.read(parameters(slug))
    if values[SLIDE] is None and slides_of(slug) and (address["present"] or address["tour"]):
        address.set(SLIDE, 1)
        values = {SLIDE: 1}
    return values


# ---- the way


Stop = tuple[str, Slide]


@cache
def way(mode: str, slug: str) -> tuple[Stop, ...]:
    """All slides in their order: of the stops in a class and on the short path, of every stage on the long one; and
    those of the lab one has turned off to, with the labs beside it."""
    parents = {stage.slug: stage.parent for stage in STAGES}
    labs = {stage for stage, parent in parents.items() if parent}
    stages = [stage for stage in parents if stage not in labs or mode == "long" or parents[stage] == parents[slug]]
    every = [(stage, slide) for stage in stages for slide in slides_of(stage)]
    return tuple((stage, slide) for stage, slide in every if mode != "short" or slide.short or stage in labs)


Mode = Literal["present", "short", "long"]


def mode_of(address: Address) -> Mode | None:
    """How slides are shown: to a class, to somebody alone, or not."""
    return "present" if address["present"] else address["tour"]


def around(mode: Mode, slug: str) -> tuple[Sequence[Stop], Sequence[Stop], Sequence[Stop]]:
    """The slides before a stage, its own, and those after it."""
    stops = way(mode, slug)
    here = [i for i, stop in enumerate(stops) if stop[0] == slug]
    return stops[: here[0]], stops[here[0] : here[-1] + 1], stops[here[-1] + 1 :]


# ---- what is drawn


def shown(address: Address, slug: str) -> bool:
    return mode_of(address) is not None and bool(slides_of(slug))


def draw(context: StageContext) -> None:
    """The slides of this stage, which the browser turns by itself, and the links to the stops beside it."""
    page, slides = context.page, slides_data(context)
    before, _, after = around(slides.mode, page.slug)
    with st.container(key="presenting" if slides.mode == "present" else "touring", gap=None):
        components.slides(key="slides", data=slides.data())
        with st.container(key="slides_ends"):
            for key, beside in (("slides_back", before[-1:]), ("slides_next", after[:1])):
                for slug, slide in beside:
                    link = {**page.address.link(), SLIDE: str(slide.number)}
                    with st.container(key=key):
                        st.page_link(page.links[slug], label=context.t.stage(slug), query_params=link)


def slides_data(context: StageContext) -> Slides:
    """The slides of this stage, where they are shown."""
    page, mode = context.page, mode_of(context.page.address)
    assert mode is not None
    before, here, after = around(mode, page.slug)
    return Slides(
        mode=mode,
        stop=context.t.stage(page.slug),
        question=context.t("question"),
        slides=[*(said(context, slide) for _, slide in here), *exercise(context, mode, len(here))],
        resets=(*resets_of(page.slug), TASK),
        done=len(before),
        total=len(before) + len(here) + len(after),
        back=bool(before),
        then=beginning(context, after[0]) if after else None,
        words={name: context.t(f"slides.{name}") for name in WORDS},
    )


def said(context: StageContext, slide: Slide) -> Told:
    """A slide for the browser. What would answer an open question is not said before it is."""
    says, notes = (context.t(f"slides.{slide.id}.{name}") for name in ("says", "notes"))
    if slide.answers and context.veiled:
        says = context.t("slides.guess")
    own = slides_of(context.page.slug, context.page.model.traits)[slide.number - 1]
    return Told(slide.number, own.sets, slide.see, says, notes)


def exercise(context: StageContext, mode: Mode, after: int) -> list[Told]:
    """A class has an exercise at the end, where the model can do one; whoever is alone finds them on the page."""
    if mode != "present" or not context.exercises:
        return []
    says, notes = (context.t(f"slides.exercise.{name}") for name in ("says", "notes"))
    return [Told(after + 1, {TASK: context.exercises[0].id}, "practice", says, notes)]


def beginning(context: StageContext, stop: Stop) -> str:
    """Where it goes on after this stage: the stop, and what is said there first."""
    slug, slide = stop
    words = lesson(slug)[context.t.language]
    return f"{context.t.stage(slug)}: {words[f'slides.{slide.id}.says']}"


def begin(t: Texts, address: Address, key: str, slug: str = "") -> None:
    """How a class (at the slides of `slug`), or somebody alone, begins; the browser adds where a tour was left."""
    lengths = {mode: len(way(mode, FIRST)) for mode in ("short", "long")}
    words = {
        name: t(f"slides.{name}")
        for name in ("present", "present_title", "class", "class_title", "class_full", "tour", "kept")
    }
    words["resume"] = t("slides.resume", stop="[stop]", place="[place]")  # the browser knows where it was
    words |= {mode: t(f"slides.{mode}", count=count) for mode, count in lengths.items()}
    presents = slug == CLAIMS or bool(slug and slides_of(slug))
    offer = Begin(f"{base_path()}/{FIRST}", address.link(), bool(slug), presents, words)
    components.begin(key=key, data=offer.data())
