"""What every page knows of the sentence it shows: its words, its model, its tokens, and the doors to other pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from core.text.token import named
from pages.shared.address.address import Address
from pages.shared.server import cached
from pages.shared.server.base_path import base_path
from pages.shared.words.texts import Texts

if TYPE_CHECKING:
    from core.capture import Capture
    from pages.shared.page.stage import Drawing, Stage


@dataclass(frozen=True)
class Marks:
    """What a row of tokens marks: the parameters of its first and second mark, and what a click sets."""

    first: str | None = None
    second: str | None = None
    click: str | None = None  # a parameter, or "pair": the older of q and k
    also: Mapping[str, object] = field(default_factory=dict)  # what a click sets besides


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
    drawing: "Drawing"

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
