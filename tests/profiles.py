"""How many examples a property is tried with: HYPOTHESIS_PROFILE=night tries as many as its test asks for, and push, if
nothing is said, a quarter of them."""

import os

from hypothesis import settings

ONE_OF = {"push": 4, "night": 1}
FEWEST = 5


def examples(asked: int, profile: str) -> int:
    """So many of those that a test asks for."""
    return max(asked // ONE_OF[profile], min(asked, FEWEST))


def chosen() -> str:
    return os.environ.get("HYPOTHESIS_PROFILE", "push")


def tried(test, profile: str) -> None:
    """Let a property be tried as often as the profile says. Hypothesis has no way to say it for all of them: a number
    that a test gives itself wins over every profile of its own."""
    asked = test._hypothesis_internal_use_settings or settings()
    test._hypothesis_internal_use_settings = settings(asked, max_examples=examples(asked.max_examples, profile))
