"""The parts every stage page is made of, in the order they stand on it: title, lead, picture, notice, next stop."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.stages import STAGES
from core.text.token import named
from pages.shared import cached, state
from pages.shared.state import Address, Parameter
from pages.shared.texts import Texts

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
    values: Sequence[int] | None = None  # for each token, what a click on it selects: mostly its own place
    whole: Mapping[int, str] = field(default_factory=dict)  # words (by that value) shown uncut while a question asks


@dataclass
class Page:
    """One run of one stage: its address, its words, and what it tells the frame about the selection."""

    slug: str
    address: Address
    t: Texts
    links: Mapping[str, st.Page]  # slug -> st.Page, of every page there is
    strip: Strip = field(default_factory=Strip)
    selection: dict[str, object] = field(default_factory=dict)

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

    def next_stop(self) -> None:
        """The stop after this one; where that is still to be built, its name as plain text and the next that exists."""
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

    def link(self, slug: str, label: str, **changes: str) -> None:
        """A door to another stage; plain text where it does not exist yet."""
        if slug in self.links:
            st.page_link(self.links[slug], label=label, query_params=self.address.link(**changes))
        else:
            st.html(f"<span class='soft'>{html.escape(label)}</span>", width="content")


def paragraphs(sentences: Sequence[str]) -> None:
    if sentences:
        st.html("".join(f"<p>{sentence}</p>" for sentence in sentences))


def current() -> Page:
    """The page of this run, as the frame opened it."""
    return st.session_state["_page"]
