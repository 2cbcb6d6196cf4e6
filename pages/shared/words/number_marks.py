"""Texts with doors in them: where in a sentence a number stands, and where that number is from."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from core.counting import agreed
from core.derivation import Source, Step
from core.figures.followed import Line
from pages.shared.words.numbers import shown
from pages.shared.words.texts import Texts

BEFORE, AFTER = "\ue000", "\ue001"  # around the number of a door, right behind its text, while a text is filled in
MARK = re.compile(f"{BEFORE}(\\d+){AFTER}")


@dataclass(frozen=True, eq=False)
class Others:
    """The terms of a sum that are not written out: together, `value` is a number like any other. Behind it the greatest
    of them are written out in their turn: the step that `read` makes, as `write` has it."""

    name: str
    where: str
    value: float
    read: Callable[[], Step]
    write: Callable[[Step], Line]

    @cached_property
    def step(self) -> Step:
        return self.read()

    @property
    def line(self) -> Line:
        return self.write(self.step)


Behind = Source | Others  # what a door leads to


class Marked(str):
    """A text like any other, that knows where in it the numbers stand that come from somewhere."""

    doors: tuple[tuple[int, int, Behind], ...] = ()

    @classmethod
    def of(cls, text: str, doors: tuple[tuple[int, int, Behind], ...]) -> Self:
        marked = cls(text)
        marked.doors = doors
        return marked


def all_of(text: str, origin: Source | None) -> str:
    """A text that is a door from end to end."""
    return text if origin is None else Marked.of(text, ((0, len(text), origin),))


def fill(template: str, values: Mapping[str, object], of: Mapping[str, Behind]) -> str:
    """A template with its values in it; those that `of` knows are doors."""
    known = [name for name in of if name in values]
    said = [shown(values[name]) for name in known]
    marked = {name: f"{number}{BEFORE}{i}{AFTER}" for i, (name, number) in enumerate(zip(known, said, strict=True))}
    parts = MARK.split(Texts.fill(agreed(template, values), {**values, **marked}))
    text, doors = parts[0], []
    for number, following in zip(parts[1::2], parts[2::2], strict=True):
        if int(number) < len(known):
            i = int(number)
            doors.append((len(text) - len(said[i]), len(text), of[known[i]]))
        text += following
    return Marked.of(text, tuple(doors)) if doors else text
