"""The same words in two orders: which texts there are to read so, and what comes of reading them."""

from collections.abc import Mapping
from typing import NamedTuple

from core import grammar
from core.edits import zero_positions
from core.views import orders as views
from core.views.orders import OrderView
from pages.shared import cached
from pages.shared.page import Page


class Pair(NamedTuple):
    """A text, the same with two words swapped, and these words."""

    text: str
    swapped: str
    first: str
    second: str

    @property
    def texts(self) -> tuple[str, str]:
        return self.text, self.swapped


EXAMPLES = {
    "learned": Pair("dog bites man", "man bites dog", "dog", "man"),
    "sinusoidal": Pair("老师批评了学生", "学生批评了老师", "老师", "学生"),
}


def pairs_of(page: Page) -> Mapping[str, Pair]:
    """The visitor's own sentence, where it has two words to swap, and an example of the same model."""
    name, text, kind = page.address.model, page.text, page.model.config.position

    def found() -> dict[str, Pair]:
        pairs = {"own": own_pair(page), "example": EXAMPLES[kind]}
        return {id: pair for id, pair in pairs.items() if pair is not None and same_tokens(name, pair)}

    return cached.small(("swapped", name, text), found)


def own_pair(page: Page) -> Pair | None:
    """The visitor's sentence and the same with two words swapped; None where there are no two, or it is long."""
    if len(page.trace.tokens) > cached.WHOLE:
        return None
    found = views.swap(page.text, grammar_words(page) or views.word_spans(page.trace.tokens))
    return None if found is None else Pair(page.text, found.text, found.first, found.second)


def same_tokens(name: str, pair: Pair) -> bool:
    return views.partners(*[[token.id for token in cached.trace(name, text).tokens] for text in pair.texts]) is not None


def grammar_words(page: Page) -> list[tuple[int, int]]:
    """Where the words of a Chinese sentence stand, as the grammar knows them; none where it does not make it."""
    parts = grammar.parse(page.text) if page.translates else None
    if parts is None or grammar.build(parts).zh != page.text:
        return []
    spans, at = [], 0
    for word in sorted((word for _, word in parts.words if word), key=page.text.find):
        at = page.text.find(word, at)
        if at < 0:
            return []
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


def scene(page: Page, pair: Pair) -> OrderView:
    """Both texts read with positions and without; kept for everyone."""
    name, model, taps = page.address.model, page.model, views.order_taps(page.model)

    def read(*edits) -> tuple:
        first, second = (cached.capture(name, text, only=taps, edits=edits) for text in pair.texts)
        return first, second

    def made() -> OrderView:
        view = views.order_view(model, {"on": read(), "off": read(zero_positions())})
        assert view is not None  # the tokens are the same
        return view

    return cached.remember(("orders", name, *pair.texts), made)
