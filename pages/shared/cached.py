"""Models, captures and views that all visitors share, read-only, in one cache of a bounded size."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import streamlit as st
from cachetools import LRUCache, cached
from cachetools.keys import hashkey

if TYPE_CHECKING:
    from core.capture import Capture
    from core.edits import Edit
    from core.text.segmentation import Dictionary
    from core.text.trace import Trace
    from core.views.attention import AttentionView
    from core.views.embedding import TableSummary
    from core.zoo import Model

LIMIT = 1 << 30  # bytes
WHOLE = 128  # up to this many tokens a capture is kept with every tap; beyond, a page keeps its view alone


class Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Value = TypeVar("Value", bound=Sized)
_shared: LRUCache[tuple, Sized] = LRUCache(LIMIT, getsizeof=attrgetter("nbytes"))


@cached(_shared, key=lambda key, _: hashkey(key), condition=threading.Condition())
def _remember(key: tuple, make: Callable[[], Sized]) -> Sized:
    return make()


def remember(key: tuple, make: Callable[[], Value]) -> Value:
    """`make()`, or what it gave before for this key. Two visitors who ask at once wait for one computation."""
    return _remember(key, make)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class Kept:
    """Anything small, None too, as the shared cache keeps it."""

    value: object
    nbytes: int = 1000  # about


def small(key: tuple, make: Callable[[], Any]) -> Any:
    """`remember` for what has no arrays: a question, a number, a table of words."""
    return remember(key, lambda: Kept(make())).value


@st.cache_resource(show_spinner=False, max_entries=4)
def model(name: str) -> "Model":
    from core import load_model

    return load_model(name)


@st.cache_resource(show_spinner=False, max_entries=64)
def trace(name: str, text: str) -> "Trace":
    """The text's way to tokens, cut where the model's positions end."""
    return model(name).tokenizer.trace(text, max_tokens=model(name).config.positions)


@lru_cache(maxsize=512)
def draft(name: str, text: str) -> tuple[int, tuple[str, ...]]:
    """How many tokens a text makes, those beyond the model's positions too, and what the vocabulary cannot spell."""
    trace = model(name).tokenizer.trace(text)
    return len(trace.tokens) + trace.truncated, model(name).unknown(text)[:12]


def capture(
    name: str,
    text: str,
    only: tuple[str, ...] | None = None,
    target: str | None = None,
    edits: "tuple[Edit, ...]" = (),
) -> "Capture":
    """A capture with at least the taps `only` names: kept whole where it is small, made anew where it is not."""
    from core import capture

    if len(trace(name, text).tokens) <= WHOLE:
        key = ("capture", name, text, target, *(edit.id for edit in edits))
        return remember(key, lambda: capture(model(name), text, target=target, edits=edits))
    return capture(model(name), text, target=target, only=only, edits=edits)


def attention(name: str, text: str, layer: int, kind: str = "encoder") -> "AttentionView":
    """The view of one attention; layers are counted from 1."""
    from core.views.attention import attention_view, taps

    def make() -> "AttentionView":
        run = capture(name, text, only=taps(model(name), layer - 1, kind))
        return attention_view(run, model(name), layer - 1, kind)

    return remember(("attention", name, text, layer, kind), make)


@lru_cache(maxsize=512)
def translation(name: str, text: str) -> "Capture":
    """What a model that writes makes of a text, without a single tap: sentence, tokens, and whether it was cut."""
    from dataclasses import replace

    return replace(capture(name, text, only=()), arrays={})


@st.cache_resource(show_spinner=False)
def dictionary() -> "Dictionary":
    """jieba's words, and what the other methods of segmentation need: loaded once, about two seconds."""
    from jieba import finalseg, posseg  # noqa: F401

    from core.text import bpe, segmentation, unigram

    for load in (bpe.tokenizer, unigram.tokenizer):
        load()
    words = segmentation.dictionary()
    _loaded.set()
    return words


_loaded = threading.Event()


def dictionary_is_there() -> bool:
    return _loaded.is_set()


def table_summary(name: str) -> "TableSummary":
    """A model's embedding table in small, made once."""
    from core.views.embedding import table_summary

    return remember(("table", name), lambda: table_summary(model(name)))


def known(key: tuple) -> bool:
    """Whether `remember` has something for this key."""
    return hashkey(key) in _shared
