"""Texts with doors in them: where in a sentence a number stands, and where that number is from."""

import re
from collections.abc import Mapping
from typing import Self

from core.derivation import Source
from pages.shared.numbers import shown
from pages.shared.texts import Texts

BEFORE, AFTER = "\ue000", "\ue001"  # around the number of a door, right behind its text, while a text is filled in
MARK = re.compile(f"{BEFORE}(\\d+){AFTER}")


class Marked(str):
    """A text like any other, that knows where in it the numbers stand that come from somewhere."""

    doors: tuple[tuple[int, int, Source], ...] = ()

    @classmethod
    def of(cls, text: str, doors: tuple[tuple[int, int, Source], ...]) -> Self:
        marked = cls(text)
        marked.doors = doors
        return marked


def all_of(text: str, origin: Source | None) -> str:
    """A text that is a door from end to end."""
    return text if origin is None else Marked.of(text, ((0, len(text), origin),))


def fill(template: str, values: Mapping[str, object], of: Mapping[str, Source]) -> str:
    """A template with its values in it; those that `of` knows are doors."""
    known = [name for name in of if name in values]
    said = [shown(values[name]) for name in known]
    marked = {name: f"{number}{BEFORE}{i}{AFTER}" for i, (name, number) in enumerate(zip(known, said, strict=True))}
    parts = MARK.split(Texts.fill(template, {**values, **marked}))
    text, doors = parts[0], []
    for number, following in zip(parts[1::2], parts[2::2], strict=True):
        if int(number) < len(known):
            i = int(number)
            doors.append((len(text) - len(said[i]), len(text), of[known[i]]))
        text += following
    return Marked.of(text, tuple(doors)) if doors else text
