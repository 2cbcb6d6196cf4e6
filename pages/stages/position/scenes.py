"""The same words in two orders: which texts there are to read so, and what comes of reading them."""

from collections.abc import Mapping
from typing import NamedTuple

from core import grammar
from core.edits import zero_positions
from core.views import orders as views
from core.views.orders import OrderView
from pages.shared.server import cached


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


def example_of(name: str) -> Pair:
    """A short text that the model can read: its own, else one for those that tell positions like it."""
    model = cached.model(name)
    own = model.lesson.stages.get("position", {}).get("example")
    return Pair(*own) if own else EXAMPLES[model.config.position]


@cached.shared
def pairs_of(name: str, text: str) -> Mapping[str, Pair]:
    """The visitor's own sentence, where it has two words to swap, and an example of the same model."""
    pairs = {"own": own_pair(name, text), "example": example_of(name)}
    return {id: pair for id, pair in pairs.items() if pair is not None and same_tokens(name, pair)}


def own_pair(name: str, text: str) -> Pair | None:
    """The visitor's sentence and the same with two words swapped; None where there are no two that the model can tell
    apart, or it is long."""
    tokens = cached.trace(name, text).tokens
    if len(tokens) > cached.WHOLE:
        return None
    translates = cached.model(name).translates
    found = views.swap(text, (grammar_words(text) if translates else []) or views.word_spans(tokens), tokens)
    if found is None or cached.ids(name, text) == cached.ids(name, found.text):
        return None
    return Pair(text, found.text, found.first, found.second)


def same_tokens(name: str, pair: Pair) -> bool:
    return views.partners(*[cached.ids(name, text) for text in pair.texts]) is not None


def grammar_words(text: str) -> list[tuple[int, int]]:
    """Where the words of a Chinese sentence stand, as the grammar knows them; none where it does not make it."""
    parts = grammar.parse(text)
    if parts is None or grammar.build(parts).zh != text:
        return []
    spans, at = [], 0
    for word in sorted((word for _, word in parts.words if word), key=text.find):
        at = text.find(word, at)
        if at < 0:
            return []
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


@cached.shared
def scene(name: str, pair: Pair) -> OrderView:
    """Both texts read with positions and without."""
    model = cached.model(name)
    taps = views.order_taps(model)

    def read(*edits) -> tuple:
        first, second = (cached.capture(name, text, only=taps, edits=edits) for text in pair.texts)
        return first, second

    view = views.order_view(model, {"on": read(), "off": read(zero_positions())})
    assert view is not None  # the tokens are the same
    return view
