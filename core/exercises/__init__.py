"""Exercises on the visitor's own sentence: view and values of the address -> a verdict, with the number that decides.

One file a stage, found by its slug. Their words stand in the stage's lesson file under `exercises.<id>`.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from .exercise import Exercise, Facts, Patch, Values, Verdict

__all__ = ["Exercise", "Facts", "Patch", "Values", "Verdict", "of_stage"]


@cache
def of_stage(slug: str) -> tuple[Exercise, ...]:
    """The exercises of a stage; none where it has no file here."""
    name = f"{__name__}.{slug}"
    return import_module(name).EXERCISES if find_spec(name) else ()
