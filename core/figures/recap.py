"""What to take along from a page: a few facts, each with what shows it again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    name: str
    text: str
    sets: Mapping[str, object]  # the parameters a press sets; none: the picture as it is


@dataclass(frozen=True)
class Recap:
    title: str
    show: str  # what a fact's button says
    facts: Sequence[Fact]
