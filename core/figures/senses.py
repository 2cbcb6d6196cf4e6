"""One word in several sentences, at every depth: which sentence is nearest to which, and how alike they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class SensesWords:
    label: str
    within: str
    across: str
    nearest: str  # stands before the number of the nearest sentence
    cosines: str  # what the square shows
    axis: str


@dataclass(frozen=True, eq=False)
class Senses(Picture):
    """`cosines` [depth, sentence, sentence]; `within` and `across` are their means at each depth, NaN where there is
    none. With one depth there is nothing to go through. Where cosines can be followed, `rows` [depth][sentence] are
    what each is of, as a trail has it, `between` stands between two of these, and `kind` is what it is."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("cosines", "within", "across")

    param: str  # which depth is seen
    word: str
    sentences: Sequence[str]
    senses: Sequence[int]  # of each sentence, its place among the senses
    names: Sequence[str]  # of the depths
    compared: Sequence[bool]  # at each depth, whether the sentences differ there at all
    said: Sequence[Sequence[str]]  # at each depth, what is to be seen
    cosines: np.ndarray
    within: np.ndarray
    across: np.ndarray
    words: SensesWords
    kind: str = "cosine"
    between: str = "-"
    rows: Sequence[Sequence[str]] = ()
