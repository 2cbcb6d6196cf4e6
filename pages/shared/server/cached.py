"""Models, captures and views that all visitors share, read-only, where no visitor can clear them.

What must never be made twice (models) is kept `once`, for ever. All else is in one cache of a bounded size.
"""

import fnmatch
import sys
import threading
from collections.abc import Callable, Hashable, Mapping, Set
from functools import partial, update_wrapper, wraps
from inspect import signature
from itertools import chain
from math import inf, prod
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from core.model.places import split

if TYPE_CHECKING:
    import numpy as np

    from core.capture import Capture
    from core.edits import Edit
    from core.run_spec import RunSpec
    from core.text.dictionary import Dictionary
    from core.text.trace import Trace
    from core.views.attention import AttentionView
    from core.views.embedding import TableSummary
    from core.zoo import Model

LIMIT = 512 << 20  # bytes
BESIDE = 128 << 20  # bytes of the layers around one that is asked for: thirty of a long text would drive out its views
EACH = 4096  # bytes that every entry counts besides its arrays: its key, its tokens
WHOLE = 128  # up to this many tokens a capture is kept with every tap; beyond, a page keeps its view alone

Value = TypeVar("Value")
Arguments = ParamSpec("Arguments")

# The kinds of values, the frequent ones first: an abstract class is asked slowly.
PLAIN, SEVERAL, NAMED = (str, int, float, type(None)), (tuple, list, Set), (dict, Mapping)


def weigh(value: Any) -> int:
    """Bytes: what it says of itself, else what it and its parts take. Cycles are not looked for."""
    if isinstance(value, PLAIN):
        return sys.getsizeof(value)
    if (own := getattr(value, "nbytes", None)) is not None:
        return own
    parts = value if isinstance(value, SEVERAL) else ()
    if isinstance(value, NAMED):
        parts = (*value.keys(), *value.values())
    elif not callable(value):
        parts = (*parts, *getattr(value, "__dict__", {}).values())
    return sys.getsizeof(value) + sum(map(weigh, parts))


_kept: LRUCache[tuple, Any] = LRUCache(LIMIT, getsizeof=lambda value: EACH + weigh(value))
_turn = threading.Condition()


@cached(_kept, key=lambda key, _: key, condition=_turn)
def _remember(key: tuple, make: Callable[[], Any]) -> Any:
    return make()


def told_apart(value: Any) -> Hashable:
    """An argument as it stands in a key: equal by its value, by what it says of itself as its `identity`, or a function
    of a module.

    Raises TypeError for what is equal to itself alone: nobody could say what was read of it.
    """
    if isinstance(value, tuple):
        return tuple(map(told_apart, value))
    if isinstance(value, FunctionType) and "<" not in value.__qualname__:
        return value
    value = getattr(value, "identity", value)
    if value is not None and type(value).__hash__ in (None, object.__hash__):
        raise TypeError(f"a result cannot be remembered by a {type(value).__name__}")
    return value


class Shared(Generic[Arguments, Value]):
    """A function whose results are remembered for all visitors, by its name and its arguments: two who ask at once wait
    for one computation, and nobody may change what it gives. It reads nothing else, so it closes over nothing.
    """

    def __init__(self, make: Callable[Arguments, Value]):
        if getattr(make, "__closure__", None):
            raise TypeError(f"{make.__qualname__} reads more than its arguments")
        update_wrapper(self, make)
        self.make, self.signature = make, signature(make)
        self.defaults = tuple(p.default for p in self.signature.parameters.values() if p.kind is not p.VAR_POSITIONAL)
        self.name = f"{make.__module__}.{make.__qualname__}"

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        return _remember(self.key(*args, **kwargs), lambda: self.make(*args, **kwargs))

    def key(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> tuple:
        """The same, however the arguments are given."""
        if kwargs:
            bound = self.signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args  # type: ignore[assignment]
        return hashkey(self.name, *map(told_apart, args), *self.defaults[len(args) :])

    def known(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> bool:
        """Whether it is kept already."""
        with _turn:
            return self.key(*args, **kwargs) in _kept

    def keep(self, value: Value, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        """What was made elsewhere, as if it had been asked for here; what is kept already stays."""
        return _remember(self.key(*args, **kwargs), lambda: value)


def shared(make: Callable[Arguments, Value]) -> Shared[Arguments, Value]:
    return Shared(make)


def once(make: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """A function whose results are kept for ever: for what is large, slow and few. Whoever comes meanwhile waits."""
    made: dict[Hashable, Value] = {}
    lock = threading.RLock()

    @wraps(make)
    def kept(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        key = hashkey(*args, **kwargs)
        if key not in made:
            with lock:
                if key not in made:
                    made[key] = make(*args, **kwargs)
        return made[key]

    return kept


def size() -> int:
    """Bytes in the shared cache."""
    return int(_kept.currsize)


def shrink(limit: int) -> None:
    """Let go of what was asked for longest ago, until no more than `limit` bytes are kept."""
    with _turn:
        while _kept.currsize > limit:
            _kept.popitem()


@once
def model(name: str) -> "Model":
    from core import load_model

    return load_model(name)


@once
def arranged(name: str, norm: str) -> "Model":
    """The same weights with the norms elsewhere."""
    from core.zoo import rearranged

    return rearranged(model(name), norm)


def model_of(name: str, norm: str | None) -> "Model":
    """The model as it is, or with its norms elsewhere."""
    return arranged(name, norm) if norm else model(name)


@shared
def trace(name: str, text: str) -> "Trace":
    """The text's way to tokens, cut where the model's positions end."""
    return model(name).tokenizer.trace(text, max_tokens=model(name).config.positions)


def ids(name: str, text: str) -> list[int]:
    """The same as ids alone."""
    return [token.id for token in trace(name, text).tokens]


SPELT = 12  # pieces of a text that are named where a vocabulary cannot spell them


@shared
def draft(name: str, text: str) -> tuple[int, tuple[str, ...]]:
    """How many tokens a text makes, those beyond the model's positions too, and what the vocabulary cannot spell: of
    much, the first."""
    trace, unknown = model(name).tokenizer.trace(text), model(name).unknown(text)
    more = ("…",) if len(unknown) > SPELT else ()
    return len(trace.tokens) + trace.truncated, (*unknown[:SPELT], *more)


def capture(
    name: str,
    text: str,
    only: tuple[str, ...] | None = None,
    target: str | None = None,
    edits: "tuple[Edit, ...]" = (),
    pair: str | None = None,
    followed: tuple[str, ...] = (),
) -> "Capture":
    """A capture with at least the taps `only` names: kept whole where it is small, made anew where it is not.

    Views name the taps they read of any model; not every model has them all. `followed` are those of the numbers that
    the page then follows: of a long text their layers are kept out of the same pass, for `traced`.
    """
    from core import capture
    from core.capture import named_by
    from core.run_spec import RunSpec

    given = RunSpec(text, pair, target, edits=edits)
    if len(trace(name, text).tokens) <= WHOLE:
        return whole(name, given)
    known = None if only is None else named_by(model(name), only)
    if followed and known is not None:
        named = (fnmatch.filter(model(name).tap_dims, pattern) for pattern in known)
        return passed(name, given, tuple(chain.from_iterable(named)), followed)
    return capture(model(name), text, target=target, only=known, edits=edits, pair=pair)


@shared
def whole(name: str, given: "RunSpec") -> "Capture":
    """A run with every tap."""
    from core import capture

    return capture(model_of(name, given.norm), *said(given), edits=given.edits)


def said(given: "RunSpec") -> tuple[str, str | None, int | None, str | None]:
    """What `capture` is told of a run's texts, in its order."""
    return given.text or "", given.pair, given.pad_to, given.target


def traced(name: str, given: "RunSpec", taps: tuple[str, ...] = ()) -> "Capture":
    """A capture to follow numbers in: it has these taps, and all it knows besides. Of a long text the taps are
    captured once and kept, a layer an entry; the capture itself is not."""
    from dataclasses import replace

    given = replace(given, text=given.text or "", model=None)
    read = sum(len(trace(name, row).tokens) for row in (given.text, given.pair) if row)
    if max(read, given.pad_to or 0) <= WHOLE:
        return whole(name, given)
    kept = partial(taps_of, name, given)
    return replace(lean(name, given), arrays=kept(taps), later={}, more=kept)


def taps_of(name: str, given: "RunSpec", taps: tuple[str, ...]) -> "Mapping[str, np.ndarray]":
    """These taps of a long text, and those that are kept with them."""
    needed = sorted({around(tap) for tap in taps})
    if not all(layer_of.known(name, group, given) for group in needed):
        passed(name, given, (), taps)
    arrays: dict[str, np.ndarray] = {}
    for group in needed:
        arrays |= layer_of(name, group, given)
    return arrays


def passed(name: str, given: "RunSpec", taps: tuple[str, ...], followed: tuple[str, ...]) -> "Capture":
    """One pass over a long text: a run with these taps, which nobody keeps. The layers of `followed` are kept out of
    the same pass, and as many beside them as there is room for: who takes a step back takes another."""
    from dataclasses import replace

    every, run = layers(name, given.norm), lean(name, given)
    kept = [group for group in beside(name, given, followed) if not layer_of.known(name, group, given)]
    found = fetch(run, (*taps, *(tap for group in kept for tap in every[group])))
    for group in kept:
        layer_of.keep({tap: found[tap] for tap in every[group]}, name, group, given)
    return replace(run, arrays={tap: found[tap] for tap in taps}, later={})


def beside(name: str, given: "RunSpec", followed: tuple[str, ...]) -> list[str]:
    """The layers of these taps; then the next of the same kind, as far as there is room, those before them, where
    their numbers come from, twice as far as those behind."""
    from core.derivation.flow import Flow

    every, flow, room = layers(name, given.norm), Flow.of(lean(name, given)), BESIDE
    at = {group: i for i, group in enumerate(every)}
    asked = {around(tap) for tap in followed}

    def away(group: str) -> float:
        alike = (at[one] for one in asked if kind(one) == kind(group))
        return min((i - at[group] if at[group] <= i else 2 * (at[group] - i) for i in alike), default=inf)

    kept = []
    for group in sorted(every, key=away):
        room -= sum(4 * prod(flow.shape(tap)) for tap in every[group])
        if group in asked or (room > 0 and away(group) < inf):
            kept.append(group)
    return kept


@shared
def lean(name: str, given: "RunSpec") -> "Capture":
    """A run without a single tap."""
    from core import capture

    return capture(model_of(name, given.norm), *said(given), (), given.edits)


@shared
def layer_of(name: str, group: str, given: "RunSpec") -> "Mapping[str, np.ndarray]":
    """The taps of a run that are kept together."""
    return fetch(lean(name, given), layers(name, given.norm)[group])


def fetch(run: "Capture", taps: tuple[str, ...]) -> "Mapping[str, np.ndarray]":
    """These taps of a run, of which it keeps none itself."""
    from dataclasses import replace

    return replace(run, later={}).fetch(taps)


@once
def layers(name: str, norm: str | None) -> dict[str, tuple[str, ...]]:
    """The taps of a model that are kept together."""
    groups: dict[str, tuple[str, ...]] = {}
    for tap in model_of(name, norm).tap_dims:
        groups[around(tap)] = (*groups.get(around(tap), ()), tap)
    return groups


# Taps as wide as the text is long, or the vocabulary is large: they are kept by themselves.
WIDE = {**dict.fromkeys(("scores", "weights", "mask"), "looks"), **dict.fromkeys(("logits", "probabilities"), "words")}


def around(tap: str) -> str:
    """Which taps are kept together: those of one layer, the wide ones by themselves."""
    place, word = split(tap)
    return f"{place.stack} {place.layer} {'' if place.layer is not None else place.part} {WIDE.get(word, '')}"


def kind(group: str) -> str:
    return group.rpartition(" ")[2]


def attention(
    name: str,
    text: str,
    layer: int,
    kind: str | None = None,
    edits: "tuple[Edit, ...]" = (),
    pair: str | None = None,
) -> "AttentionView":
    """The view of one attention, in any run, of the model's first kind where none is named; layers are counted from 1.
    Its run is the one that its numbers are followed in."""
    return attention_of(name, text, layer, kind or model(name).attentions[0], edits, pair)


@shared
def attention_of(
    name: str, text: str, layer: int, kind: str, edits: "tuple[Edit, ...]", pair: str | None
) -> "AttentionView":
    from core.run_spec import RunSpec
    from core.views.attention import attention_view, taps

    run = traced(name, RunSpec(text, pair, edits=edits), taps(model(name), layer - 1, kind))
    return attention_view(run, model(name), layer - 1, kind)


@shared
def translation(name: str, text: str) -> "Capture":
    """What a model that writes makes of a text, without a single tap: sentence, tokens, and whether it was cut."""
    from dataclasses import replace

    return replace(capture(name, text, only=()), arrays={})


@once
def dictionary() -> "Dictionary":
    """jieba's words, and what the other methods of segmentation need: loaded once, about two seconds."""
    from jieba import finalseg, posseg  # noqa: F401

    from core.text import bpe, dictionary, unigram

    for load in (bpe.tokenizer, unigram.tokenizer):
        load()
    words = dictionary.dictionary()
    _loaded.set()
    return words


_loaded = threading.Event()


def dictionary_is_there() -> bool:
    return _loaded.is_set()


@shared
def table_summary(name: str) -> "TableSummary":
    """A model's embedding table in small."""
    from core.views.embedding import table_summary

    return table_summary(model(name))
