"""Trainings beside each other: a curve a run over the steps, of a kind that is chosen, and one of its matrices as it
changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .picture import Picture


@dataclass(frozen=True)
class Course:
    """One run: its steps so far, the steps after which it was judged, and those whose matrix is there."""

    id: str
    name: str
    steps: int
    looks: Sequence[int]
    kept: Sequence[int]
    size: tuple[int, int]  # rows and columns of the matrix that are there
    seeds: int = 1  # from how many first weights


@dataclass(frozen=True)
class Panel:
    """One set of axes. `of` is "step" where every step has a number, "look" where only every look has."""

    id: str
    name: str
    of: str
    log: bool = True


@dataclass(frozen=True)
class RunsWords:
    label: str
    step: str
    smoothed: str  # of the lines that jump from step to step
    matrix: str  # with {run} and {step}
    changed: str  # with {step}
    veiled: str
    runs: str
    help: str = ""  # what the steps under the matrix do
    help_keys: str = ""  # and the keys in a picture


@dataclass(frozen=True, eq=False)
class Runs(Picture):
    """Behind the header: of each run, of each seed, loss and gradient [steps], held and right [looks]; then of each
    run its matrices [kept, row, column], the bits of half precision. A run that is veiled has no steps."""

    ARRAYS: ClassVar[tuple[str, ...]] = ("values",)

    courses: Sequence[Course]
    steps: int  # where the axis ends
    panels: Sequence[Panel]
    panel: str  # the parameter that says which of them is seen
    values: Sequence[np.ndarray]
    words: RunsWords
    run: str | None  # the parameter that says which run is followed; None: nothing can be selected
    step: str | None
    veiled: bool = False
    guessing: float | None = None  # the loss of a blind guess, where it is the same for all
    guess_word: str = ""
    seeds: str = ""  # what the faint lines are
