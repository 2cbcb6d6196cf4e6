"""The parts every stage page is made of, in the order they stand on it: title, lead, picture, notice, next stop."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.stages import STAGES
from core.text.token import Token, named
from pages.shared import cached, state
from pages.shared.state import Address, Parameter
from pages.shared.texts import Texts

if TYPE_CHECKING:
    from core.capture import Capture

STAGE_SCRIPTS = Path(__file__).parents[1] / "stages"


def base_path() -> str:
    """The path the site is served under: empty, or like "/see-through"."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def exists(slug: str) -> bool:
    return (STAGE_SCRIPTS / f"{slug}.py").is_file()


@dataclass
class Strip:
    """What the token strip marks: the parameters of its first and second mark, and what a click sets."""

    first: str | None = None
    second: str | None = None
    click: str | None = None  # a parameter, or "pair": the older of q and k
    also: Mapping[str, object] = field(default_factory=dict)  # what a click sets besides
    values: Sequence[int | str | None] | None = None  # what a click on each token selects: mostly its own place
    whole: Mapping[object, str] = field(default_factory=dict)  # words (by that value) shown uncut while a question asks
    target: "Strip | None" = None  # marks among the tokens that are written; where None, they stand as a sentence


@dataclass
class Page:
    """One run of one stage: its address, its words, and what it tells the frame about the selection."""

    slug: str
    address: Address
    t: Texts
    links: Mapping[str, st.Page]  # slug -> st.Page, of every page there is
    strip: Strip = field(default_factory=Strip)
    selection: dict[str, object] = field(default_factory=dict)
    shown: tuple[Token, ...] | None = None  # of a lab with a text of its own: what stands in the strip
    box: Callable[[], None] | None = None  # and its box to change that text

    # ---- the sentence

    @property
    def text(self) -> str:
        return self.address.text

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
    def writes(self) -> bool:
        """Whether the model writes a translation, or only reads."""
        return self.model.words is not None

    @cached_property
    def translation(self) -> "Capture":
        """What the model writes: sentence and tokens, no arrays. Of a model that only reads there is none."""
        return cached.translation(self.address.model, self.text)

    @property
    def model_name(self) -> str:
        """The model as the visitor calls it."""
        return self.t(f"models.{self.address.model}")

    def own(self, key: str) -> str:
        """The key of what is said of this model only: `key.minilm`, `key.translator`."""
        return f"{key}.{self.address.model}"

    # ---- parameters

    def read(self, table: Mapping[str, Parameter]) -> dict[str, Any]:
        """The stage's own parameters, checked; they are what the browser knows as selected."""
        values = self.address.read(table)
        self.selection = dict(values)
        return values

    # ---- what stands on it

    def title(self, lead: str | None = None, **values: object) -> None:
        """The question, and a sentence or two about this very sentence."""
        st.title(self.t("question"), anchor=False)
        if lead:
            self.lead(lead, **values)

    def lead(self, lead: str, **values: object) -> None:
        st.html(f"<p class='lead'>{self.t.html(lead, **values)}</p>")

    def notice(
        self, sentences: Sequence[str], try_this: tuple[str, Mapping[str, object]] | None = None
    ) -> DeltaGenerator:
        """What to notice, with this sentence's numbers in it, and one thing to try: its words, and what it sets up.

        Returns the place of the sentences, for those that follow the selection.
        """
        with st.container(key="notice", gap=None):
            st.html(f"<h2>{self.t.html('notice_title')}</h2>")
            said = st.container(gap=None)
            with said:
                paragraphs(sentences)
            if try_this:
                words, changes = try_this
                set_up = state.change_text if "text" in changes else state.change
                st.button(words, key="try", type="tertiary", on_click=set_up, kwargs=dict(changes))
        return said

    def sections(self, chosen: str, draw: Mapping[str, Callable[[], None]]) -> None:
        """What lies deeper, one section at a time: the others cost neither a screen to scroll through nor time.

        `draw` has each section by its id, in order; `chosen` is the value of the page's parameter `section`.
        """
        st.session_state["section"] = chosen
        name = lambda id: self.t(f"sections.{id}")  # noqa: E731
        st.segmented_control(
            self.t("deeper"), list(draw), format_func=name, key="section", required=True, on_change=go_into
        )
        draw[chosen]()

    def next_stop(self) -> None:
        """The stop after this one; where that is still to be built, its name as plain text and the next that exists.
        From a lab, the stop it hangs off."""
        parent = next(stage.parent for stage in STAGES if stage.slug == self.slug)
        if parent:
            with st.container(key="next", horizontal=True, horizontal_alignment="right", gap="xsmall"):
                st.html(f"<span class='soft'>{self.t.html('back_to')}</span>", width="content")
                self.link(parent, f"**{self.t(f'stages.{parent}')}**")
            return
        path = [stage.slug for stage in STAGES if stage.parent is None]
        rest = path[path.index(self.slug) + 1 :]
        with st.container(key="next", horizontal=True, horizontal_alignment="right", gap="xsmall"):
            if not rest:
                return
            st.html(f"<span class='soft'>{self.t.html('next_stop')}</span>", width="content")
            following = next((slug for slug in rest if exists(slug)), None)
            if following != rest[0]:
                then = f" · {self.t.html('for_now')}" if following else ""
                missing = f"{self.t.html(f'stages.{rest[0]}')} {self.t.html('not_yet')}{then}"
                st.html(f"<span class='soft'>{missing}</span>", width="content")
            if following:
                self.link(following, f"**{self.t(f'stages.{following}')}**")

    def href(self, slug: str, **changes: str) -> str:
        """The address of another stage, as a path link would have it."""
        return f"{base_path()}/{slug}?{urlencode({**self.address.link(), **changes})}"

    def refusal(self) -> str:
        """A sentence about what a component reported and could not be taken; empty where there is nothing."""
        refused = state.refused()
        return self.t(f"notes.{refused.code}", **refused.values) if refused else ""

    def link(self, slug: str, label: str) -> None:
        """A door to another stage; plain text where it does not exist yet."""
        if slug in self.links:
            st.page_link(self.links[slug], label=label, query_params=self.address.link())
        else:
            st.html(f"<span class='soft'>{html.escape(label)}</span>", width="content")


def go_into() -> None:
    state.change(section=st.session_state["section"])


def paragraphs(sentences: Sequence[str]) -> None:
    if sentences:
        st.html("".join(f"<p>{sentence}</p>" for sentence in sentences))


def current() -> Page:
    """The page of this run, as the frame opened it."""
    return st.session_state["_page"]
