"""Whom one query attends to in every head of a layer, as dots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class DotsWords:
    """What is written on the picture and read out of it; names in braces are filled in the browser."""

    label: str
    query: str  # {token}
    earlier: str  # the query before this one
    later: str
    head: str  # above the numbers of the rows
    most: str  # beside the numbers of heads whose largest weight is at a key
    others: str  # {count}: the keys there is no room for
    veiled: str
    caption: str
    name: str  # {head} {name} {does}: of the selected head that has one
    heard: str  # {head} {query} {key} {weight}


@dataclass(frozen=True, eq=False)
class Dots(Picture):
    """The weights of heads, each plane [query, key] by `layer.head`; NaN where it must not be seen yet."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("planes",)

    planes: Mapping[str, np.ndarray]
    queries: Sequence[str]
    keys: Sequence[str]
    heads: int  # of a layer
    known: Mapping[str, str]  # layer.head -> what it is known for
    does: Mapping[str, str]  # what such a name says
    words: DotsWords
    fragment: str = "picture"
