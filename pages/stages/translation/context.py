"""What is looked at on this page: one weight of one head, while a word is written."""

from dataclasses import dataclass

import numpy as np

from core import grammar
from core.capture import Capture
from core.grammar.near import near
from core.views.translation import Aligned, TranslationView, aligned, taps, translation_view
from core.zoo import model_for
from pages.shared.address.address import Repair
from pages.shared.page import one_head, own_model
from pages.shared.page.renderings import ID, reference, rendered
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words import samples

__all__ = [
    "ID",
    "Cell",
    "StageContext",
    "aligned_rows",
    "aligns",
    "clearest",
    "content",
    "reference",
    "settle",
    "view_of",
]

PRESET = samples.presets("translation", "zh")[1]
DECIDED = 0.5  # a weight that takes most of its row


def settle(page: PageContext) -> None:
    """This page has one model, which reads Chinese; of an English sentence of the visitor's, one that says something
    near."""
    own = page.address.own_text
    said = None if samples.is_example(own) or model_for(own) == ID else nearest_to(own)
    own_model.settle(page, said.zh if said else PRESET)
    if said and page.text == said.zh:
        page.address.repairs[-1] = Repair("reads_near", {"zh": said.zh, "en": said.en})


@cached.shared
def view_of(text: str) -> TranslationView:
    """Who looked at whom while this text was translated."""
    model = cached.model(ID)
    return translation_view(cached.capture(ID, text, only=taps(model)), model)


@cached.shared
def aligns() -> Aligned:
    """How often a content word looks most at a character that it renders, of each layer and head."""
    return aligned(cached.model(ID))


@cached.shared
def nearest_to(own: str) -> grammar.Sentence | None:
    """A sentence of the grammar that says something near, if there is."""
    return near(own)


def clearest() -> tuple[int, int]:
    """The layer and head that align best, counted from 1."""
    shares = aligns().shares
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer) + 1, int(head) + 1


def content(view: TranslationView) -> list[bool]:
    """Which of the written words carry meaning, not grammar."""
    words = [token.text for token in view.written]
    return [word[0].isalnum() and word not in grammar.FUNCTION_WORDS for word in words]


def aligned_rows(text: str) -> list[tuple[int, ...]]:
    """Of each written word that carries meaning the places of the characters it renders; of the others none."""
    return [word.source if word.content else () for word in rendered(text)]


@dataclass(frozen=True)
class Cell:
    """A weight: in a row of the target, of cross-attention or of the decoder's own, at a column."""

    kind: str
    row: int
    column: int


class StageContext(one_head.StageContext[TranslationView]):
    """Layers and heads count from 1, rows and columns from 0."""

    @property
    def text(self) -> str:
        """The sentence that is translated."""
        return self.page.text

    @property
    def beam(self) -> bool:
        """Whether several translations are kept at once."""
        return self.values["search"] == "beam"

    @property
    def cell(self) -> Cell:
        """What is followed: of cross-attention, or, where one was selected there, of self-attention."""
        row, own = self.values["q"], self.values["j"]
        return Cell("cross", row, self.values["k"]) if own is None else Cell("self", row, own)

    @property
    def cross(self) -> np.ndarray:
        """[target, source]: the selected head of cross-attention."""
        return self.view.cross[self.layer - 1, self.head - 1]

    @property
    def source(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.view.source)

    @property
    def given(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.view.given)

    @property
    def written(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.view.written)

    @property
    def known(self) -> grammar.Sentence | None:
        """The sentence as the grammar makes it, where it does."""
        return reference(self.text)

    @property
    def offered(self) -> grammar.Sentence | None:
        """Where the visitor's sentence is not read here: what is read instead."""
        own = self.page.address.own_text
        near = nearest_to(own) if own.strip() and model_for(own) != ID else None
        return near if near and near.zh != self.text else None

    @property
    def english(self) -> str:
        return self.page.translation.text_out or ""

    def tap(self, *names: str) -> Capture:
        """A capture of this sentence that has these taps."""
        return cached.capture(ID, self.text, only=names)
