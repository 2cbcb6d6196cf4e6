"""Our numbers held against another implementation's, for the same text and the same weights."""

from collections.abc import Callable

import numpy as np

from core.views.position import computed_table, tables
from pages.shared import cached


def other(name: str):
    """The module that runs the other implementation of a model; imported only here, because it is slow to load."""
    if cached.model(name).words is None:
        from pages.shared import hugging_face

        return hugging_face
    from pages.shared import pytorch

    return pytorch


@cached.shared
def attention_difference(name: str, text: str) -> float:
    """The largest difference of any attention weight."""
    return largest(name, text, other(name).weights)


@cached.shared
def state_difference(name: str, text: str) -> float:
    """The largest difference of any number of any token's state, at every depth the other implementation has."""
    return largest(name, text, other(name).states)


@cached.shared
def row_difference(name: str, text: str) -> float:
    """The largest difference of any number of the rows that are fetched."""
    return largest(name, text, lambda *of: {"embedding.token": other(name).rows(*of)})


@cached.shared
def neighbour_difference(name: str, ids: tuple[int, ...], ours: tuple[tuple[int, float], ...]) -> tuple[int, float]:
    """How many of `ours` (id, cosine) scikit-learn finds nearest to the mean of the rows `ids`, these left out; and
    the largest difference of their cosines. Of MiniLM it searches the table in Hugging Face's own model."""
    from sklearn.metrics.pairwise import cosine_similarity

    rows = other(name).table(name)
    cosines = cosine_similarity(rows[list(ids)].mean(0, keepdims=True), rows)[0]
    cosines[list(ids)] = -np.inf
    theirs = set(np.argsort(-cosines)[: len(ours)].tolist())
    return sum(id in theirs for id, _ in ours), max(abs(float(cosines[id]) - cosine) for id, cosine in ours)


@cached.shared
def input_difference(name: str, text: str) -> float:
    """The largest difference of any number of what enters the first layer."""
    return largest(name, text, lambda *of: {"embedding.output": other(name).inputs(*of)})


@cached.shared
def token_differences(name: str, text: str) -> float:
    """How many tokens differ in id or in offsets; tokens that only one side has count too."""
    theirs = other(name).tokens(name, text)
    ours = [(token.id, (token.start, token.end)) for token in cached.trace(name, text).tokens]
    return float(sum(a != b for a, b in zip(theirs, ours, strict=False)) + abs(len(theirs) - len(ours)))


@cached.shared
def position_difference(name: str) -> float:
    """The largest difference of any number of the learned table of positions, of a model that has one."""
    from pages.shared import hugging_face

    return float(np.abs(tables(cached.model(name))["learned"].rows - hugging_face.positions(name)).max())


@cached.shared
def waves_difference(length: int, d_model: int) -> float:
    """The largest difference of any number of the sinusoids, whichever model uses them."""
    from pages.shared import hugging_face

    return float(np.abs(computed_table(length, d_model).rows - hugging_face.waves(length, d_model)).max())


def largest(name: str, text: str, theirs: Callable[[str, str], dict[str, np.ndarray]]) -> float:
    """The largest difference between their arrays and the taps of the same names."""
    arrays = theirs(name, text)
    run = cached.capture(name, text, only=tuple(arrays))
    return max(float(np.abs(run[tap] - array).max()) for tap, array in arrays.items())
