"""How much a run tries: HYPOTHESIS_PROFILE=night as many examples of a property as its test asks for, every case of a
list, and each page in each language and with each model; push, if nothing is said, a part of them, always the same;
quick, while one works, a single case of each test."""

import os
from collections.abc import Mapping, Sequence
from itertools import product
from math import lcm, prod
from typing import TypeVar

from hypothesis import settings

ONE_OF = {"quick": 20, "push": 4, "night": 1}
FEWEST = 5
MULTIPLYING = (
    "lang",
    "language",
    "model",
)  # parameters of a page's tests that each of its cases has, whatever it tries
Case = TypeVar("Case")


def examples(asked: int, profile: str) -> int:
    """So many of those that a test asks for."""
    return max(asked // ONE_OF[profile], min(asked, FEWEST))


def chosen() -> str:
    return os.environ.get("HYPOTHESIS_PROFILE", "push")


def some(cases: Sequence[Case], profile: str | None = None, every: int = ONE_OF["push"]) -> list[Case]:
    """Of cases that are alike: on a push every fourth, from the first on; or each `every`th, where fourths are of one
    kind."""
    return list(cases[:: 1 if (profile or chosen()) == "night" else every])


def crossed(*lists: Sequence, profile: str | None = None) -> list[tuple]:
    """Each with each, as pages with languages; on a push so few that every value of every list is in one of them.

    After as many as bring two lists back to where they began, one of them is a step ahead: other values meet.
    """
    if (profile or chosen()) == "night":
        return list(product(*lists))
    number, longest = max(map(len, lists)), max(lists, key=len)
    others: list[int] = []
    columns = []
    for values in lists:
        others += [len(values)] * (values is not longest)
        back = number if values is longest else lcm(*others) if len(others) > 1 else number
        columns.append([values[(i + i // back) % len(values)] for i in range(number)])
    return list(zip(*columns, strict=True))


def crossing(cases: Sequence[Mapping[str, object]], profile: str | None = None) -> list[bool]:
    """Which cases of one test are run, each told as the place of every parameter in its list: a language or a model
    that multiplies the others is crossed with them. Where lists go together, as a text and its language, all are."""
    rest = [{name: value for name, value in case.items() if name not in MULTIPLYING} for case in cases]
    places = [tuple(map(repr, (others, *map(case.get, MULTIPLYING)))) for others, case in zip(rest, cases, strict=True)]
    axes = [list(dict.fromkeys(axis)) for axis in zip(*places, strict=True)]
    if prod(map(len, axes)) != len(cases):
        return [True] * len(cases)
    wanted = set(crossed(*axes, profile=profile))
    return [place in wanted for place in places]


def tried(test, profile: str) -> None:
    """Let a property be tried as often as the profile says. Hypothesis has no way to say it for all of them: a number
    that a test gives itself wins over every profile of its own."""
    asked = test._hypothesis_internal_use_settings or settings()
    test._hypothesis_internal_use_settings = settings(asked, max_examples=examples(asked.max_examples, profile))
