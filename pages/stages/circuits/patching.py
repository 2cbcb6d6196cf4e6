"""Swap a state: two prompts of one length; one token's state after one layer is taken from the other, and the map says
which word is then ahead. Every cell is a run that can be followed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import streamlit as st

from core.capture import Capture
from core.derivation import Cell, Measure, RunSpec
from core.edits import take
from core.figures.followed import Followed
from core.figures.matrix import Axis, Matrix
from core.lesson import lesson_of
from core.text.token import named
from core.views import another_word
from core.views.circuits import CircuitsView, patched
from core.zoo import SOURCES
from pages.shared.address import visit
from pages.shared.address.address import Parameter, index, whole, words
from pages.shared.number.follow import follow
from pages.shared.number.follow import number as followed_number
from pages.shared.number.number_links import number
from pages.shared.page import own_model
from pages.shared.page.controls import controls, text_box
from pages.shared.page.drawing import fault
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import SECTION, PageContext, Section
from pages.shared.pictures import components
from pages.shared.pictures.pictures import matrix_words
from pages.shared.server import cached, jobs
from pages.shared.words.texts import Texts
from pages.stages.circuits.context import StageContext

LONGEST = 200  # characters of the other prompt
MOST = 20  # tokens: each layer is run for all of them at once
TRIED = 6  # words of a text that are exchanged, to find one that makes a difference
UNASKED = 10  # tokens: a map of seconds, which nobody has to ask for
AT_ONCE = 200_000  # layers · tokens² · d_model: more is done in the background, with progress
GLANCE = 0.5  # seconds between two looks at how far it is
FOLLOWS = "moved_followed"
GOING = "circuits.going"  # kept for the visit: what is being computed; None where that was stopped
LOGITS = "output.logits"


@dataclass(frozen=True)
class Pair:
    """Two prompts, each with the word that is likeliest after it."""

    name: str
    text: str
    other: str
    word: int
    against: int

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        return self.name, self.text, self.other, self.word, self.against


# ---- what is compared


def parameters(page: PageContext, view: CircuitsView) -> Mapping[str, Parameter]:
    n = len(view.tokens)
    return {
        "other": words(LONGEST, offered(page), "sentence"),
        "moved_token": index(n, differing(page, offered(page), n - 1)),
        "moved_layer": whole(1, view.layers, max(1, view.layers // 2), ends="sentence"),
    }


def offered(page: PageContext) -> str:
    """The model's own second prompt for its example; for a text of the visitor's, that with one word exchanged."""
    example = own_model.beginning(page.address.model, page)
    if page.text == example:
        return str(page.opening.get("other", example))
    return exchanged(*page.key) if len(page.text) <= LONGEST else page.text[:LONGEST]


@cached.shared
def exchanged(name: str, text: str) -> str:
    """The same with another word in it, after which another token is likeliest; the text itself where none is found."""
    tokens, model = cached.trace(name, text).tokens, cached.model(name)
    if len(tokens) > MOST:
        return text
    *earlier, last = another_word.words_of(tokens, text) or (None,)
    for word in [*reversed(earlier[-TRIED:]), last]:
        by = word and another_word.suggested(model, text, word)
        other = another_word.replaced(model, text, word, by).text if word and by else text
        if first(name, other) != first(name, text):
            return other
    return text


def of_example(page: PageContext, other: str) -> bool:
    """Whether the prompts are the two that the model brings: their map is begun unasked, and kept for everybody."""
    return page.text == own_model.beginning(page.address.model, page) and other == offered(page) != page.text


def differing(page: PageContext, other: str, otherwise: int) -> int:
    """The first token that is another one."""
    ids = (cached.ids(page.address.model, text) for text in (page.text, other))
    return next((i for i, (a, b) in enumerate(zip(*ids, strict=False)) if a != b), otherwise)


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "patching"), paragraph(t, "patching.said"))
    also = {"moved_token": None, "moved_layer": None}
    controls("patching", text_box(context, "other", t("patching.other"), LONGEST, also=also))
    other = context.values["other"] or ""
    if refused := refusal(context, other):
        return write(f"<p class='note'>{refused}</p>")
    name, text = context.page.key
    pair = Pair(name, text, other, first(name, text), first(name, other))
    if pair.word == pair.against:
        return write(f"<p class='note'>{t.html('patching.same_word', word=context.say(pair.word))}</p>")
    if moved.known(*pair.key):
        return result(context, pair)
    n = len(context.view.tokens)
    if n * n * context.view.layers * context.model.config.d_model <= AT_ONCE:
        return result(context, pair)
    unasked = n <= UNASKED or of_example(context.page, other)
    if st.session_state.get(GOING, pair.key if unasked else None) == pair.key:
        return watch(t, pair)
    st.button(t("patching.start", runs=n * context.view.layers), key="patching_start", on_click=partial(begin, pair))


def refusal(context: StageContext, other: str) -> str:
    """Why these two cannot be compared; nothing where they can."""
    t, name, n = context.t, context.page.address.model, len(context.view.tokens)
    there = cached.trace(name, other).tokens if other.strip() else ()
    if not other.strip() or not there:
        return t.html("patching.empty")
    if len(there) != n:
        return t.html("patching.lengths", one=n, other=len(there))
    if n > MOST:
        return t.html("patching.long", most=MOST, n=n)
    if [token.id for token in there] == [token.id for token in context.view.tokens]:
        return t.html("patching.equal" if other != offered(context.page) else "patching.none_found")
    return ""


def states(name: str, text: str) -> Capture:
    return cached.capture(name, text, only=(*cached.model(name).depths()[1:], LOGITS))


def first(name: str, text: str) -> int:
    """The word that is likeliest at the end."""
    return int(states(name, text)[LOGITS][-1].argmax())


def gap(pair: Pair, text: str) -> float:
    """At the end of a prompt, how far the first prompt's word is above the second's."""
    row = states(pair.name, text)[LOGITS][-1]
    return float(row[pair.word]) - float(row[pair.against])


# ---- the work


def rows_of(name: str, text: str, other: str, word: int, against: int) -> Iterator[np.ndarray]:
    return patched(states(name, text), states(name, other), cached.model(name), word, against)


@cached.shared
def moved(name: str, text: str, other: str, word: int, against: int) -> np.ndarray:
    """[layer, token] the gap where that state is the other's."""
    return np.stack([*rows_of(name, text, other, word, against)])


def keep_examples() -> None:
    """The map of each model's own two prompts, so that nobody waits for it."""
    for name in SOURCES:
        own = lesson_of(name).stages.get("circuits", {})
        if other := own.get("other"):
            text = str(own["examples"][0])
            moved(name, text, str(other), first(name, text), first(name, str(other)))


@dataclass
class Work:
    """The same, a layer a step; the last puts it where everybody finds it."""

    pair: Pair
    rows: list[np.ndarray] = field(default_factory=list)
    made: Iterator[np.ndarray] | None = None

    def step(self) -> None:
        self.made = self.made or rows_of(*self.pair.key)
        self.rows.append(next(self.made))

    def keep(self) -> None:
        moved.keep(np.stack(self.rows), *self.pair.key)

    def steps(self) -> list[Callable[[], object]]:
        return [*[self.step] * cached.model(self.pair.name).config.layers, self.keep]


def begin(pair: Pair) -> None:
    st.session_state[GOING] = pair.key
    visit.redraw([SECTION])


def stop() -> None:
    jobs.leave()
    st.session_state[GOING] = None
    visit.redraw([SECTION])


def watch(t: Texts, pair: Pair) -> None:
    """How far it is; the section is drawn anew when it is done."""
    try:
        job = jobs.ask(moved.key(*pair.key), Work(pair).steps())
    except jobs.Busy:
        st.session_state.pop(GOING, None)
        return write(f"<p class='note'>{t.html('patching.busy')}</p>")

    @st.fragment(key="patching_progress", run_every=GLANCE)
    def looking() -> None:
        if job.error:
            return fault(t)
        if job.over:
            st.session_state.pop(GOING, None)
            visit.redraw([SECTION])
        with st.container(horizontal=True, vertical_alignment="center"):
            done, all = job.done, len(job.steps)
            st.progress(done / all, t("patching.part", done=min(done, all - 1), layers=all - 1))
            st.button(t("patching.cancel"), key="patching_cancel", on_click=stop)

    looking()


# ---- what came of it


def result(context: StageContext, pair: Pair) -> None:
    values = moved(*pair.key)
    write(ends_said(context, pair))
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        components.matrix(key="moved", data=picture(context, pair, values).pack())
    with right:
        follow(context, followed, key=FOLLOWS)
    write(told(context, pair, values), paragraph(context.t, "patching.not_alone"))


def ends_said(context: StageContext, pair: Pair) -> str:
    """How far apart the two words are at the end of either prompt."""
    n = len(context.view.tokens) - 1
    cells = tuple(Cell(LOGITS, (n, id)) for id in (pair.word, pair.against))
    facts = {"word": context.say(pair.word), "against": context.say(pair.against), "other": pair.other}
    own = number(context, gap(pair, pair.text), Measure("gap", cells))
    theirs = number(context, gap(pair, pair.other), Measure("gap", cells), given=RunSpec(pair.other))
    return paragraph(context.t, "patching.ends", own=own, theirs=theirs, **facts)


def names(context: StageContext) -> list[str]:
    return [context.token_name(i) for i in range(len(context.view.tokens))]


def picture(context: StageContext, pair: Pair, values: np.ndarray) -> Matrix:
    t, layers = context.t, context.view.layers
    facts = {"word": context.say(pair.word), "against": context.say(pair.against)}
    return Matrix(
        id="moved",
        fragment=SECTION,
        planes={"": values.T},
        rows=Axis("moved_token", values.shape[1], names(context), room=12),
        columns=Axis("moved_layer", layers, from_=1, word=context.t("layer")),
        signed=True,
        tall=24 * values.shape[1],
        words=matrix_words(t, "patching.label", caption=t("patching.caption", **facts)),
    )


def followed(context: StageContext) -> Followed:
    """The gap in the run of the selected cell."""
    name, text = context.page.key
    other, token, layer = context.values["other"], context.values["moved_token"], context.values["moved_layer"]
    last = len(context.view.tokens) - 1
    cells = tuple(Cell(LOGITS, (last, id)) for id in (first(name, text), first(name, other)))
    given = RunSpec(edits=(take(layer, token, other),))
    where = context.t("patching.where", token=context.token_name(token), layer=layer)
    return followed_number(context, Measure("gap", cells), f"{token}.{layer}", where, given=given)


def told(context: StageContext, pair: Pair, values: np.ndarray) -> str:
    """Which token's state alone turns the word over, up to which layer; and from which on the last one does."""
    turns = values < 0  # layer, token
    last = values.shape[1] - 1
    facts: dict[str, object] = {"word": context.say(pair.word), "against": context.say(pair.against)}
    early = [int(token) for token in np.flatnonzero(turns[0]) if token != last]
    if not turns[:, :last].any():
        alone = differing(context.page, pair.other, last) == last
        return paragraph(context.t, "patching.last_differs" if alone else "patching.only_last", **facts)
    if not early:
        layer, token = (int(i) for i in np.unravel_index(values[:, :last].argmin(), values[:, :last].shape))
        return paragraph(context.t, "patching.somewhere", token=context.token_name(token), layer=layer + 1, **facts)
    token = min(early, key=lambda i: values[0, i])
    until = int(np.flatnonzero(~turns[:, token])[0]) if not turns[:, token].all() else len(turns)
    since = int(np.flatnonzero(~turns[:, last])[-1]) + 1 if not turns[:, last].all() else 0
    there = named([context.say(one.id) for one in cached.trace(pair.name, pair.other).tokens], token)
    facts |= {"token": context.token_name(token), "there": there, "until": until, "end": context.token_name(last)}
    key = "stays"
    if turns[until:, token].any():
        key = "stays_again"
    elif 0 < since < len(turns) and until < len(turns):
        only = since == len(turns) - 1 and not turns[:since, last].any()
        key = "moves_at_the_end" if only else "moves"
    return paragraph(context.t, f"patching.{key}", since=since + 1, **facts)


LAB = Section(draw, parameters, redraws=("other",), pieces={FOLLOWS: ("moved_token", "moved_layer")}, follows=FOLLOWS)
