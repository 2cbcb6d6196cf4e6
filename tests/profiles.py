"""How much a run tries: HYPOTHESIS_PROFILE=night as many examples of a property as its test asks for, every case of a
list, each page in each language; push, if nothing is said, a quarter of them, always the same ones."""

import os
from collections.abc import Sequence
from itertools import product
from typing import TypeVar

from hypothesis import settings

ONE_OF = {"push": 4, "night": 1}
FEWEST = 5
Case = TypeVar("Case")


def examples(asked: int, profile: str) -> int:
    """So many of those that a test asks for."""
    return max(asked // ONE_OF[profile], min(asked, FEWEST))


def chosen() -> str:
    return os.environ.get("HYPOTHESIS_PROFILE", "push")


def some(cases: Sequence[Case], profile: str | None = None, every: int = ONE_OF["push"]) -> list[Case]:
    """Of cases that are alike: on a push every fourth, from the first on; or each `every`th, where fourths are of one
    kind."""
    return list(cases[:: every if (profile or chosen()) == "push" else 1])


def crossed(*lists: Sequence, profile: str | None = None) -> list[tuple]:
    """Each with each, as pages with languages; on a push so few that every value of every list is in one of them."""
    if (profile or chosen()) == "night":
        return list(product(*lists))
    return [tuple(values[i % len(values)] for values in lists) for i in range(max(map(len, lists)))]


def tried(test, profile: str) -> None:
    """Let a property be tried as often as the profile says. Hypothesis has no way to say it for all of them: a number
    that a test gives itself wins over every profile of its own."""
    asked = test._hypothesis_internal_use_settings or settings()
    test._hypothesis_internal_use_settings = settings(asked, max_examples=examples(asked.max_examples, profile))
