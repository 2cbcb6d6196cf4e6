"""Pairs of dimensions as dials: two hands on each, pale before they are turned and full after."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .picture import plain


@dataclass(frozen=True)
class DialsWords:
    """{c}, {other}, {query}, {key}, {brings} in `tip` are filled in by the browser: the two dimensions, the angles in
    degrees, what the pair adds to the score; {shown}, {all} and {rest} in `rest`: how many pairs are seen, of how many,
    and what the others add together."""

    label: str
    query: str
    key: str
    tip: str
    rest: str


@dataclass(frozen=True, eq=False)
class Dials:
    """`query` and `key` are [2, pair, 2] (before, after), `angles` [2, pair] in radians, `brings` [pair]."""

    query: np.ndarray
    key: np.ndarray
    angles: np.ndarray
    brings: np.ndarray
    words: DialsWords

    def data(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).round(5).tolist() for name in ("query", "key", "angles", "brings")}
        return {**arrays, "words": plain(self.words)}
