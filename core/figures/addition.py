"""Vectors that add up, or lie side by side: a few dimensions as bars, and strips of rows of tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Panel:
    """One part of every token's vector, or what the parts make together."""

    id: str
    name: str
    short: str  # its name where there is little room
    sign: str  # what stands before it: +, = or nothing
    joined: bool  # whether the parts lie in it side by side
    width: int


@dataclass(frozen=True)
class AdditionWords:
    label: str
    dim: str
    veiled: str
    caption: str
    each: str  # what shows the strip of each part
    fewer: str  # and hides them


@dataclass(frozen=True, eq=False)
class Addition(Picture):
    """A window of tokens, for one setting of the switches; for others the browser asks."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("values",)

    made: Mapping[str, str]  # the switches' parameters, and how they stood
    from_: int  # the first token shown
    of: int  # how many tokens there are
    labels: Sequence[str]  # of the tokens shown
    parts: Sequence[str]  # ids of the panels that are added
    panels: Sequence[Panel]
    values: Sequence[np.ndarray]  # of each panel, [token shown, width]; NaN where it must not be seen yet
    d_model: int
    reach: float  # the size at which a colour is full
    words: AdditionWords
