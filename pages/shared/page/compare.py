"""Our numbers held against another implementation's (`core.reference`), for the same text and the same weights."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from core import reference
from core.views.position import computed_table, tables
from core.zoo import SOURCES
from pages.shared.server import cached


def other(name: str) -> ModuleType:
    """The module that runs the other implementation of a model."""
    return reference.other(SOURCES[name].loader if name in SOURCES else "package")


def target_ids(name: str, text: str) -> tuple[int, ...]:
    """What our decoder was given, where there is one: theirs reads the same."""
    return () if cached.model(name).words is None else tuple(t.id for t in cached.translation(name, text).target_in)


@cached.shared
def attention_difference(name: str, text: str) -> float:
    """The largest difference of any attention weight."""
    return largest(name, text, lambda files: other(name).weights(files, text, target_ids(name, text)))


@cached.shared
def state_difference(name: str, text: str) -> float:
    """The largest difference of any number of any token's state, at every depth the other implementation has."""
    return largest(name, text, lambda files: other(name).states(files, text, target_ids(name, text)))


@cached.shared
def largest_state(name: str, text: str) -> float:
    """The largest number of any token's state at any depth of the reader, without its sign."""
    depths = cached.model(name).depths()
    run = cached.capture(name, text, only=depths)
    return max(float(np.abs(run[tap]).max()) for tap in depths)


@cached.shared
def output_difference(name: str, text: str) -> float:
    """The largest difference of any logit or probability of a model that writes."""
    return largest(name, text, lambda files: other(name).written(files, text, target_ids(name, text)))


@cached.shared
def written_difference(name: str, ids: tuple[int, ...], given: int, ours: tuple[float, ...]) -> float:
    """The largest difference of the probability of any token that was written behind the first `given`, step by step on
    our side, all read at once on theirs."""
    theirs = other(name).probabilities(cached.model(name).numbers, ids[:-1]) if ours else None
    rows = enumerate(zip(ids[given:], ours, strict=True), given - 1)
    return max((abs(float(theirs[row, id]) - own) for row, (id, own) in rows if theirs is not None), default=0.0)


@cached.shared
def row_difference(name: str, text: str) -> float:
    """The largest difference of any number of the rows that are fetched."""
    return largest(name, text, lambda files: {"embedding.token": other(name).rows(files, text)})


@cached.shared
def input_difference(name: str, text: str) -> float:
    """The largest difference of any number of what enters the first layer."""
    return largest(name, text, lambda files: {"embedding.output": other(name).inputs(files, text)})


@cached.shared
def neighbour_difference(name: str, ids: tuple[int, ...], ours: tuple[tuple[int, float], ...]) -> tuple[int, float]:
    """How many of `ours` (id, cosine) scikit-learn finds nearest to the mean of the rows `ids`, these left out; and
    the largest difference of their cosines. Of MiniLM it searches the table in Hugging Face's own model."""
    table = other(name).table(cached.model(name).numbers)
    from core.reference.neighbours import nearest

    theirs, cosines = nearest(table, ids, len(ours))
    return sum(id in theirs for id, _ in ours), max(abs(float(cosines[id]) - cosine) for id, cosine in ours)


@cached.shared
def token_differences(name: str, text: str) -> float:
    """How many tokens differ in id or in offsets; tokens that only one side has count too."""
    theirs = other(name).tokens(cached.model(name).numbers, text)
    ours = [(token.id, (token.start, token.end)) for token in cached.trace(name, text).tokens]
    return float(sum(a != b for a, b in zip(theirs, ours, strict=False)) + abs(len(theirs) - len(ours)))


@cached.shared
def position_difference(name: str) -> float:
    """The largest difference of any number of the learned table of positions, of a model that has one."""
    theirs = other(name).positions(cached.model(name).numbers)
    return float(np.abs(tables(cached.model(name))["learned"].rows - theirs).max())


@cached.shared
def waves_difference(length: int, d_model: int) -> float:
    """The largest difference of any number of the sinusoids, whichever model uses them."""
    reference.load()
    from core.reference import hugging_face

    return float(np.abs(computed_table(length, d_model).rows - hugging_face.waves(length, d_model)).max())


def largest(name: str, text: str, theirs: Callable[[Path], dict[str, np.ndarray]]) -> float:
    """The largest difference between their arrays and the taps of the same names."""
    arrays = theirs(cached.model(name).numbers)
    run = cached.capture(name, text, only=tuple(arrays))
    return max(float(np.abs(run[tap] - array).max()) for tap, array in arrays.items())
