"""Rows of choices above a picture: at most three at first sight, more behind a word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .picture import plain

Option = tuple[object, str]  # id, and what it is called


@dataclass(frozen=True)
class Control:
    """One parameter to choose. Few options stand as segments, many as a stepper: ‹ 9 / 12 ›."""

    name: str
    label: str
    options: Sequence[Option] = ()
    first: object = None  # the option that is chosen while the address has none
    also: Mapping[str, object] = field(default_factory=dict)  # what a choice sets besides
    stepper: bool | Literal["always", "never", "list"] = (
        False  # too wide for a phone; everywhere; though many, not; a list
    )
    plain: bool = False  # a stepper that does not say how many there are
    plays: tuple[str, str] | None = None  # of a stepper: words for going through all options, and for resting
    usual: object = None  # of a control that waits behind "more": the option that does not open it
    by: str | None = None  # where another selection decides how many options there are,
    counts: Sequence[int] | None = None  # ... how many, for each of its values
    several: bool = False  # whether options go together: the parameter is their ids (of an option, often several),
    none: object = None  # ... between commas, and this where none is chosen
    number: tuple[int, int] | None = None  # low and high of a number that is typed
    step: float = 1  # from one to the next; where it is whole, so is the number
    text: int | None = None  # so many characters at most of a text that is typed
    lines: int = 1  # of its box
    short: bool = False  # a box as wide as a word
    use: str = ""  # on the button that takes what was typed, beside a box of several lines
    long: str = ""  # what is said of a longer one
    handed: str | None = None  # the text itself, where it may be too long for an address
    example: str = ""  # what one might type, in an empty box
    refusal: str = ""  # what is said of a number that cannot be used; of the text that stands in the box
    groups: Sequence[str] = ()  # of a list: what each option belongs to, where they stand in groups
    at: str = ""  # what tells it from another control of the same parameter
    hints: Sequence[str] = ()  # of each option what it means, on hover
    help: str = ""  # what it does, in a sentence; filled in for every page alike (pages/shared/pictures/helps.py)


@dataclass(frozen=True)
class More:
    label: str
    controls: Sequence[Control]


@dataclass(frozen=True)
class Controls:
    controls: Sequence[Control]
    more: More | None = None

    def data(self) -> dict[str, Any]:
        return plain(self)


def numbered(count: int, first: int = 1) -> list[Option]:
    """Options that are numbers, as people count layers and heads."""
    return [(i, str(i)) for i in range(first, first + count)]
