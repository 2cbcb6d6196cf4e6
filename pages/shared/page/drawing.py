"""The one order in which every page is made:

    address → what chooses the view → view → question and veil → parameters → context → draw

A stage fills in the steps; it does not call them. The order is the same for the whole page and for one piece of it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.exercises import Patch
from core.questions import Question
from core.zoo import SOURCES
from pages.shared.address import visit
from pages.shared.address.address import Address, Parameter, Repair, choice, index, patched, with_text
from pages.shared.page import slides
from pages.shared.page.stage import FOLLOWED, TASK, WHOLE, Asked, PageContext, Stage, StageContext, exercises_of
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.server.streamlit_inside import alone_in_its_container
from pages.shared.words import samples
from pages.shared.words.texts import Texts

LOG = logging.getLogger("see_through")

TRAIL = Parameter(lambda raw: raw if "." in raw else None, None, "encoder.3.attention.query.9.5.23", "sentence")
SWITCH = choice("1", default=None)
OPEN: dict[str, Parameter] = {"open": SWITCH, "take": SWITCH, "marks": SWITCH, "trail": TRAIL}


def look_at(stage: Stage, drawing: "Drawing") -> StageContext[Any]:
    """The one order."""
    page = PageContext(stage, visit.read(stage.slug), drawing)
    address = page.address
    opened = visit.browser().page != stage.slug
    slides.open_at(address, stage.slug, stage.opened_by, opened)
    settle(page)
    tasks = [exercise.id for exercise in exercises_of(page)]
    slides.open_task(address, stage.slug, opened, tasks)
    context = seen(page)
    visit.write(address, stage.slug)
    return context


def as_set(context: StageContext[Any], patch: Patch) -> StageContext[Any]:
    """The same page as it would be with something else set on it; nothing of the visit is touched."""
    stage, address = context.page.stage, context.page.address
    now, text = address.canonical(), patch.get("text")
    other = with_text(now, address.ends(), str(text)) if text else {}
    page = PageContext(stage, Address(patched(now, {**patch, **other}), address.lang), context.page.drawing)
    settle(page)
    return seen(page)


def settle(page: PageContext) -> None:
    """What the page reads, where it is not the visitor's sentence: as the stage says; and where a model that adds no
    token of its own finds none in it, an example."""
    page.stage.settle(page)
    name, text = page.address.model, page.address.text
    if not cached.trace(name, text).tokens:
        page.address.repairs.append(Repair("reads_no_token", {"model": Texts(page.address.lang).model(name)}))
        page.address.instead = samples.example("zh" if SOURCES[name].chinese else "en"), name


def seen(page: PageContext) -> StageContext[Any]:
    """What an address shows: the part of the one order that no visit has a share in."""
    stage, address = page.stage, page.address
    tasks = [exercise.id for exercise in exercises_of(page)]
    chosen = address.read(stage.which(page))
    view = stage.view(page, chosen)
    asked = asked_of(address, stage.questions(page, view), stage.opened_by)
    values = {**chosen, **address.read(stage.parameters(page, view, asked))}
    for section in stage.sections.values():
        values |= address.read(section.parameters(page, view))
    if stage.sections:
        values |= address.read({"section": choice(*stage.sections, default=None)})
    values |= address.read(OPEN)
    if tasks:
        values |= address.read({TASK: choice(*tasks, default=None)})
    values |= slides.read(address, stage.slug)
    return stage.context(page, view, asked, values)


def asked_of(address: Address, questions: Sequence[Question], opened_by: Sequence[str]) -> Asked:
    """The question that is asked now: the sentence's first, or after that was answered the next."""
    number = address.read({"ask": index(max(1, len(questions)), 0)})["ask"] if len(questions) > 1 else 0
    question = questions[number] if questions else None
    return Asked(question, is_open(address, question, opened_by), number + 1 < len(questions))


def is_open(address: Address, question: Question | None, opened_by: Sequence[str]) -> bool:
    """True until the question is answered or waved off. A link to what is selected, or to an exercise, opens with the
    answer in sight."""
    given = address["guess"]
    if question is None:
        if given == "open":
            address.drop("guess")
        return False
    answers = ("skip", *(choice.id for choice in question.choices))
    if given not in (None, "open", *answers):
        address.drop("guess", allowed=", ".join(answers))
        given = None
    if given is None and any(name in address.raw for name in (*opened_by, TASK)):
        address.set("guess", "skip")
        return False
    return given in (None, "open")


class Drawing:
    """Makes the context of each run, of the whole page or of one piece, and lets go of it when that has been drawn."""

    def __init__(self, stage: Stage, links: Mapping[str, Any]) -> None:
        self.stage, self.links = stage, links
        self.drawn = WHOLE  # what is being drawn: the key of a piece, or the page
        self.said: dict[str, str] = {}  # what has been said of the selection in this run, by its place
        self.places: list[Any] = []  # those made in this run (parts.Place), to be filled at its end
        self.told = False  # whether the browser has been told how far the server is
        self._look: StageContext[Any] | None = None

    @property
    def whole(self) -> bool:
        """Whether it is the whole page that is being drawn."""
        return self.drawn == WHOLE

    @contextmanager
    def looking(self, drawn: str) -> Iterator[StageContext[Any]]:
        """The context of this run: made where nothing larger is being drawn. One that cannot be made leaves the frame
        standing, with a page that says so.
        """
        if self._look is not None:
            yield self._look
            return
        self.drawn, self.said, self.places, self.told = drawn, {}, [], False
        try:
            self._look = look_at(self.stage, self)
        except Exception:
            LOG.exception("%s cannot be looked at", self.stage.slug)
            self._look = look_at(Stage(self.stage.slug, lambda context: fault(context.t)), self)
        try:
            yield self._look
        finally:
            self._look = None

    def fill(self) -> None:
        """At the end of the page, or of the piece that is drawn alone."""
        for place in self.places:
            place.fill()
        self.places = []

    def echo(self, context: "StageContext[Any]") -> dict[str, object]:
        """How far the server is; and what there is to select now, unless it is but the number followed that moved."""
        self.told = True
        params = {} if self.drawn in (WHOLE, FOLLOWED) else {"params": context.page.address.parameters()}
        return {**visit.echo(), **params}

    def piece(self, key: str, draw: Callable[[Any], None]) -> None:
        """Draw a part of the page that can be drawn anew by itself. It keeps nothing of the run that made it."""

        @st.fragment(key=key)
        def drawn() -> None:
            alone = self._look is None
            with self.looking(key) as context:
                with standing(context.t, alone=not self.whole):
                    draw(context)
                if alone:
                    self.fill()
                if alone and not self.told:
                    components.echo(key=f"echo_{key}", data=self.echo(context))

        with alone_in_its_container():
            drawn()


@contextmanager
def standing(t: Texts, alone: bool = False) -> Iterator[None]:
    """Whatever goes wrong in here, the rest of the page stands, and a sentence says so; where Streamlit refuses to draw
    a piece alone, the whole page is drawn."""
    try:
        yield
    except Exception as error:
        if alone and isinstance(error, StreamlitAPIException):
            LOG.warning("a piece cannot be drawn alone: the whole page is drawn", exc_info=True)
            st.rerun()
        LOG.exception("a part of the page could not be drawn")
        fault(t)


def fault(t: Texts) -> None:
    """What a visitor is told where something went wrong; the log has more."""
    st.html(f"<p class='note fault'>{t.html('fault')}</p>")
