"""Exercises on the visitor's own sentence: view and values of the address -> a verdict, with the number that decides.

One file a stage, found by its slug. Their words stand in the stage's lesson file under `exercises.<id>`.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .exercise import Exercise, Facts, Patch, Values, Verdict

if TYPE_CHECKING:
    from ..zoo import Model

__all__ = ["Exercise", "Facts", "Patch", "Values", "Verdict", "of_stage", "possible"]


@cache
def of_stage(slug: str) -> tuple[Exercise, ...]:
    """The exercises of a stage; none where it has no file here."""
    name = f"{__name__}.{slug}"
    return import_module(name).EXERCISES if find_spec(name) else ()


def possible(slug: str, model: "Model") -> tuple[Exercise, ...]:
    """Those of a stage that can be done with a model."""
    without = model.lesson.without
    return tuple(one for one in of_stage(slug) if one.fits(model) and f"{slug}.{one.id}" not in without)
