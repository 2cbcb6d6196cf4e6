"""What a stage is: what it declares, and what each of its functions is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar
from urllib.parse import urlencode

from core.exercises import Exercise, Patch, possible
from core.questions import Question
from core.text.token import Token, named
from pages.shared.address.address import Address, Table
from pages.shared.server import cached
from pages.shared.server.base_path import base_path
from pages.shared.words.texts import Texts

if TYPE_CHECKING:
    from core.capture import Capture

V = TypeVar("V")

WHOLE, PICTURE, FOLLOWED, SECTION, OPENED, TAKEN = "page", "picture", "derivation", "section", "open_it", "take"
EXERCISES, TASK = "exercises", "task"  # the piece, and the parameter that says which of them is done
STRIP = "tokens"  # of a lab with tokens of its own
SLIDE = "slide"  # the parameter


class Drawing(Protocol):
    """The run of a page as what is drawn in it knows it: pages/shared/page/drawing.py has the one there is."""

    links: Mapping[str, Any]  # slug -> st.Page, of every page there is
    said: dict[str, str]  # what has been said of the selection in this run, by its place
    places: list[Any]  # those made in this run (parts.Place), to be filled at its end

    @property
    def whole(self) -> bool:
        """Whether it is the whole page that is being drawn."""
        ...

    def echo(self, context: "StageContext[Any]") -> dict[str, object]:
        """How far the server is; and what there is to select now."""
        ...

    def piece(self, key: str, draw: Callable[[Any], None]) -> None:
        """Draw a part of the page that can be drawn anew by itself."""
        ...


@dataclass(frozen=True)
class Marks:
    """What a row of tokens marks: the parameters of its first and second mark, and what a click sets."""

    first: str | None = None
    second: str | None = None
    click: str | None = None  # a parameter, or "pair": the older of q and k
    also: Mapping[str, object] = field(default_factory=dict)  # what a click sets besides
    always: Sequence[int] = ()  # tokens that have the second mark, whatever is selected
    asked: Sequence[int] = ()  # those that the open question is about


NO_MARKS = Marks()


@dataclass(frozen=True)
class Strip:
    """What the token strip marks among the tokens that are read (`source`) and written (`target`).

    Where what is marked turns with the selection, `by` names the parameters, and `turns` has a pair for each of their
    values, joined by "/". A target without marks stands as a sentence.
    """

    source: Marks = NO_MARKS
    target: Marks | None = None
    by: tuple[str, ...] = ()
    turns: Mapping[str, tuple[Marks, Marks | None]] = field(default_factory=dict)
    values: Sequence[int | str | None] | None = None  # what a click on each token selects: mostly its own place
    target_values: Sequence[int | str | None] | None = None
    whole: Mapping[object, str] = field(default_factory=dict)  # words (by that value) shown uncut while a question asks


@dataclass(frozen=True, eq=False)
class PageContext:
    """One run of one stage: its address, its words, its sentence."""

    stage: "Stage"
    address: Address
    drawing: Drawing

    @property
    def slug(self) -> str:
        return self.stage.slug

    @cached_property
    def t(self) -> Texts:
        t = Texts(self.address.lang, self.slug, self.address.model, self.model.traits)
        t.own = {**t.own, "stack": t(f"stack.{self.model.reader.name}")}
        return t

    # ---- the sentence

    @property
    def text(self) -> str:
        return self.address.text

    @property
    def key(self) -> tuple[str, str]:
        """Model and sentence: most of what is remembered is a function of these."""
        return self.address.model, self.text

    @cached_property
    def model(self):
        return cached.model(self.address.model)

    @cached_property
    def trace(self):
        return cached.trace(self.address.model, self.text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.trace.tokens)

    def name(self, index: int) -> str:
        """A token in a sentence about it: the, or the₅ where there are several."""
        return named(self.tokens, index)

    @property
    def translates(self) -> bool:
        """Whether the model writes a target beside the source that it reads."""
        return self.model.translates

    @property
    def opening(self) -> Mapping[str, Any]:
        """What the model opens this stage on: core.lesson."""
        return self.model.lesson.stages.get(self.slug, {})

    @cached_property
    def translation(self) -> "Capture":
        """What the model writes: sentence and tokens, no arrays. Of a model that only reads there is none."""
        return cached.translation(self.address.model, self.text)

    @property
    def model_name(self) -> str:
        """The model as the visitor calls it."""
        return self.t.model(self.address.model)

    # ---- other pages

    @property
    def links(self) -> Mapping[str, Any]:
        """slug -> st.Page, of every page there is."""
        return self.drawing.links

    def href(self, slug: str, **changes: str) -> str:
        """The address of another stage, as a path link would have it."""
        return f"{base_path()}/{slug}?{urlencode({**self.address.link(), **changes})}"


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
        names = set(patch) - ({"guess"} if patch.get("guess") == "open" else set()) - {SLIDE}
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


def exercises_of(page: PageContext) -> tuple[Exercise, ...]:
    """The exercises of a stage that can be done with the model that reads, and on a slide without the sections."""
    can = possible(page.slug, page.model)
    return tuple(one for one in can if not one.apart) if page.address["present"] else can


def piece(context: StageContext[Any], key: str, draw: Callable[[Any], None]) -> None:
    """`draw(context)` as a piece of its own: PICTURE, FOLLOWED, a section. `draw` must hold no context itself."""
    context.page.drawing.piece(key, draw)
