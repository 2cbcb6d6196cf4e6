"""What every exercise is made of, and the pairs of words that several of them are about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..zoo import Model

Values = Mapping[str, Any]  # what the address says, repaired
Facts = Mapping[str, object]  # what the words of a verdict name
Patch = Mapping[str, object]  # what is set in the address


@dataclass(frozen=True)
class Verdict:
    """Whether what is set on the page solves an exercise.

    `said` names the words that explain it: "right" or "wrong", unless something else stands in the way.
    """

    right: bool
    facts: Facts = field(default_factory=dict)
    said: str = ""

    @property
    def words(self) -> str:
        return self.said or ("right" if self.right else "wrong")


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes:
        id: its words stand under it in the stage's lesson file: title, task, right, wrong.
        check: what the stage shows, and the values of the address, to a verdict.
        solution: the same to what must be set so that `check` says it is right; None where this sentence has none.
        example: what leads to one that can be solved; None where that is a sentence of the model's own (core.lesson).
        fits: whether it can be done with a model.
        writes: whether it is solved by another sentence.
        apart: whether it is done in one of the sections, which slides leave out.
    """

    id: str
    check: Callable[[Any, Values], Verdict]
    solution: Callable[[Any, Values], Patch | None]
    example: Patch | None = None
    fits: "Callable[[Model], bool]" = lambda model: True
    writes: bool = False
    apart: bool = False


def unlike(among: Sequence[int], ids: Sequence[object]) -> list[tuple[int, int]]:
    """Every two of the tokens `among` that are not the same word."""
    return [(a, b) for a, b in combinations(among, 2) if ids[a] != ids[b]]


def alike(among: Sequence[int], ids: Sequence[object]) -> list[tuple[int, int]]:
    """Every two of them that are."""
    return [(a, b) for a, b in combinations(among, 2) if ids[a] == ids[b]]


def place(matrix: np.ndarray, pairs: Sequence[tuple[int, int]], pair: tuple[int, int]) -> int:
    """Which place, from 1, a pair's number has among those of all pairs, the largest first."""
    return 1 + sum(matrix[other] > matrix[pair] for other in pairs)


def from_here(start: int, count: int) -> Iterator[int]:
    """Every number from 1 to `count`, `start` first."""
    yield start
    yield from (number for number in range(1, count + 1) if number != start)
