"""Attention as one chain, for one query: who asks, who offers, what is taken along, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class ChainWords:
    """What stands beside each link; names in braces are filled in the browser."""

    label: str
    asks: str  # {token}
    earlier: str  # the query before this one
    later: str
    key: str
    product: str
    scaled: str
    weights: str
    taken: str
    context: str  # {token}
    others: str  # {count}: the keys there is no room for
    veiled: str
    masked: str
    heard: str  # {token} {other} {product} {scaled} {weight}
    one: str  # the caption
    two: str  # {token} {other} {there} {back}; "" where the two sides are not the same tokens


@dataclass(frozen=True, eq=False)
class Chain(Picture):
    """Every head that fits, or the one looked at. Scores and weights follow from queries and keys, in the browser."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("query", "key", "value", "context", "inputs")

    name: tuple[str, ...]  # the parameters that name a plane
    planes: Sequence[str]  # their values, joined by "/"
    queries: Sequence[str]  # labels
    keys: Sequence[str]
    d_head: int
    d_model: int
    causal: bool  # whether nobody may look at what comes later
    words: ChainWords
    query: Sequence[np.ndarray]  # of each plane, [query, d_head]; NaN where it must not be seen yet, as in the contexts
    key: Sequence[np.ndarray]  # [key, d_head]
    value: Sequence[np.ndarray]  # [key, d_head]
    context: Sequence[np.ndarray]  # [query, d_head]
    inputs: np.ndarray  # [query, d_model] bytes: x, from its least number (0) to its greatest (255)
    fragment: str = "section"  # what is drawn anew where a head is lacking
