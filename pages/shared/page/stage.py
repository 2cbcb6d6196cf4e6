"""What a stage is, and the one order in which every page is made:

    address → what chooses the view → view → question and veil → parameters → context → draw

A stage fills in the steps; it does not call them. The order is the same for the whole page and for one piece of it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from core.exercises import Exercise, Patch, possible
from core.questions import Question
from core.text.token import Token
from core.zoo import SOURCES
from pages.shared.address import visit
from pages.shared.address.address import Address, Parameter, Repair, Table, choice, index, patched, with_text
from pages.shared.page import slides
from pages.shared.page.context import PageContext, Strip
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.server.streamlit_inside import alone_in_its_container
from pages.shared.words import samples
from pages.shared.words.texts import Texts

LOG = logging.getLogger("see_through")
V = TypeVar("V")
L = TypeVar("L", bound="StageContext[Any]")

TRAIL = Parameter(lambda raw: raw if "." in raw else None, None, "encoder.3.attention.query.9.5.23", "sentence")
SWITCH = choice("1", default=None)
OPEN: dict[str, Parameter] = {"open": SWITCH, "take": SWITCH, "marks": SWITCH, "trail": TRAIL}
WHOLE, PICTURE, FOLLOWED, SECTION, OPENED, TAKEN = "page", "picture", "derivation", "section", "open_it", "take"
EXERCISES, TASK = "exercises", slides.TASK  # the piece, and the parameter that says which of them is done
STRIP = "tokens"  # of a lab with tokens of its own


@dataclass(frozen=True)
class Asked:
    """The question this sentence has, if it has one, and whether it is still open."""

    question: Question | None
    open: bool
    another: bool = False  # whether there is one more after it

    @property
    def row(self) -> int | None:
        """The row that is veiled now."""
        return self.question.row if self.open and self.question else None

    @property
    def rows(self) -> tuple[int, ...]:
        """The same as what may be indexed: one row, or none."""
        return () if self.row is None else (self.row,)


@dataclass(frozen=True, eq=False)
class StageContext(Generic[V]):
    """One run of a stage, its view included: every function of a stage is given this and nothing else."""

    page: PageContext
    view: V
    asked: Asked
    values: Mapping[str, Any]
    narrowed: bool = False  # to a few of the values: see `only`

    @property
    def t(self) -> Texts:
        return self.page.t

    @property
    def key(self) -> tuple[str, str]:
        """Model and sentence."""
        return self.page.key

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells one context from another in the shared cache: a page is a function of its address."""
        address = self.page.address
        if not self.narrowed:
            return self.page.slug, *address.canonical().items()
        said = {**address.link(), "guess": address["guess"], "ask": address.values.get("ask"), **self.values}
        return self.page.slug, *said.items()

    def only(self, *names: str) -> Self:
        """The same, of which no other values can be read than these and those that chose the view: what is made of it
        is the same whatever else is selected."""
        names = (*names, *self.page.stage.which(self.page))
        return replace(self, values={name: self.values[name] for name in names}, narrowed=True)

    def of_any_sentence(self, *names: str) -> Self:
        """As `only`, where no sentence chose the view: neither can the sentence be read, nor what is asked of it."""
        page = replace(self.page, address=self.page.address.without_text())
        return replace(self.only(*names), page=page, asked=Asked(None, self.veiled))

    @property
    def question(self) -> Question | None:
        return self.asked.question

    @property
    def veiled(self) -> bool:
        """Whether the question is still open."""
        return self.asked.open

    @property
    def practised(self) -> Any:
        """What the exercises of this stage are about: core/exercises says of each what that is."""
        return self.view

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """Those that can be done with this model."""
        return exercises_of(self.page)


@dataclass(frozen=True)
class Section:
    """What lies deeper: how it is drawn, its own parameters, and which others it is drawn from; and the piece that
    follows its numbers, where the page has none."""

    draw: Callable[[Any], None]
    parameters: Callable[[PageContext, Any], Table] = lambda page, view: {}
    redraws: tuple[str, ...] = ()
    pieces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # inside it, as in Stage.redraws
    follows: str = FOLLOWED


@dataclass(frozen=True)
class Stage:
    """One stage. All it does is in functions of its folder.

    `redraws` says of the pieces of the page from which parameters Python draws them: "picture" (with the derivation
    inside it), others by their own keys, "page" for what nothing smaller will do. What is named for no piece moves the
    derivation alone, unless that is named, too; and a picture that lacks numbers asks for its own piece.
    """

    slug: str
    draw: Callable[[Any], None]
    context: Callable[..., StageContext[Any]] = StageContext
    # What this page reads, where it is not the visitor's sentence.
    settle: Callable[[PageContext], None] = lambda page: None
    which: Callable[[PageContext], Table] = lambda page: {}
    view: Callable[[PageContext, Mapping[str, Any]], Any] = lambda page, chosen: None
    questions: Callable[[PageContext, Any], Sequence[Question]] = lambda page, view: ()
    asked: Callable[[Any], Mapping[str, object]] = lambda context: {}  # what its words say besides its own facts
    opened_by: tuple[str, ...] = ("q", "k", "pos", "dim")  # a link that has one of these opens with the answer in sight
    parameters: Callable[[PageContext, Any, Asked], Table] = lambda page, view, asked: {}
    sections: Mapping[str, Section] = field(default_factory=dict)
    recap: Mapping[str, Patch] = field(default_factory=dict)  # what to take along: each fact, and what shows it again
    redraws: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strip: Callable[[Any], Strip] = lambda context: Strip()
    shown: Callable[[Any], tuple[Token, ...]] | None = None  # of a lab with a text of its own: what stands in the strip
    box: Callable[[Any], None] | None = None  # and its box to change that text
    keeps: bool = False  # whether the visit keeps texts for it that are too long for its address, and so for a link

    def concerned(
        self, query: Mapping[str, str], patch: Mapping[str, object], lacks: Sequence[str] = ()
    ) -> list[str] | None:
        """Which pieces of the page are drawn anew after a patch; None: all of it. The pieces are fragments' keys."""
        section, inner = self.section_of(query)
        redraws = {**self.redraws, SECTION: section, **inner}
        names = set(patch) - ({"guess"} if patch.get("guess") == "open" else set()) - {slides.SLIDE}
        if names == {"trail"}:
            trail = patch["trail"]
            began_anew = trail is None or "~" not in str(trail)  # what another piece followed is over
            own = [FOLLOWED, *inner] if began_anew else [self.followed_in(query, str(trail))]
            return [*own, *(piece for piece, of in self.redraws.items() if "trail" in of)]
        if names & {"guess", "ask", "present", "tour", "room", *redraws.pop(WHOLE, ())}:
            return None
        pieces = {piece for piece, of in redraws.items() if names & set(of)} | set(lacks)
        heard = {name for of in redraws.values() for name in of} - {
            "trail"
        }  # whoever ends a trail moves the number, too
        if FOLLOWED not in redraws and names - heard - {"open", "take", TASK}:
            pieces.add(FOLLOWED)
        if PICTURE in pieces:
            pieces.discard(FOLLOWED)
        if SECTION in pieces:
            pieces -= set(inner)
        if names - {TASK, "take"} and (query.get("open") == "1" or "open" in names):
            pieces.add(OPENED)
        if names - {TASK, "open"} and (query.get("take") == "1" or "take" in names):
            pieces.add(TAKEN)
        if names - {"open", "take"} and (TASK in query or TASK in names):
            pieces.add(EXERCISES)
        return sorted(pieces, key=lambda piece: (piece not in (PICTURE, FOLLOWED), piece))  # what is looked at first

    def followed_in(self, query: Mapping[str, Any], trail: str) -> str:
        """The piece of the page that follows the number at which a trail begins."""
        _, inner = self.section_of(query)
        chosen = self.chosen(query)
        return next((piece for piece in inner if trail.startswith(f"{piece}.")), chosen.follows if chosen else FOLLOWED)

    def section_of(self, query: Mapping[str, Any]) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
        """The parameters that the chosen section is drawn from, and those of the pieces inside it."""
        chosen = self.chosen(query)
        return (("section", *chosen.redraws), chosen.pieces) if chosen else (("section",), {})

    def chosen(self, query: Mapping[str, Any]) -> Section | None:
        """The section that is open, if any is."""
        return self.sections.get(query.get("section", ""))


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


def exercises_of(page: PageContext) -> tuple[Exercise, ...]:
    """The exercises of a stage that can be done with the model that reads."""
    return possible(page.slug, page.model)


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


def piece(context: StageContext[Any], key: str, draw: Callable[[Any], None]) -> None:
    """`draw(context)` as a piece of its own: PICTURE, FOLLOWED, a section. `draw` must hold no context itself."""
    context.page.drawing.piece(key, draw)


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
