"""The number being followed: one line a step, the operation left, its value right, the terms as bars between.

A number that comes from somewhere is a door: pressed, it puts its own steps in the place of these.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..derivation import Source
from ..run_spec import AT_HAND, RunSpec
from .picture import names, plain


@dataclass(frozen=True)
class Door:
    """A number or a name that can be pressed: `to` is the trail to what lies behind it, None its beginning."""

    text: str
    to: str | None
    name: str = ""  # what a screen reader calls it


# What the panel itself says, and under which name the words of cells have it.
SAID = {"trail": "trail_label", "all": "all_the_way", "halt": "halt", "more": "more_terms", "fewer": "fewer_terms"}

Words = str | Sequence[str | Door]  # a text, in which some numbers may be doors


@dataclass(frozen=True)
class Line:
    """One step in words. `exact` is every digit, for hovering; `lines` are the largest terms, to be read: the first of
    them at once, or the `whole` of them."""

    operation: Words
    value: Words
    exact: str = ""
    bars: Sequence[float] = ()
    focus: int | None = None  # the one bar that is meant, where it is one
    lines: Sequence[Words] = ()
    whole: bool = False
    reason: str = ""
    check: str = ""  # what the last step was held against


@dataclass(frozen=True)
class See:
    """A link to a stage that shows the very cell."""

    text: str
    href: str


@dataclass(frozen=True)
class Followed:
    """A derivation as it is shown. `id` tells one cell from another; `note` is said under the steps.

    `trail` is the way here, from the number one began with; `onward` goes on along the largest term, as far as it goes.
    """

    id: str
    title: str
    where: str
    value: str
    exact: str = ""
    steps: Sequence[Line] = ()
    note: str = ""
    end: Sequence[str] = ()  # sentences where a way ends
    trail: Sequence[Door] = ()
    onward: str | None = None
    see: See | None = None
    drawn: See | None = None  # the sheet, with all that the number was made of
    words: Mapping[str, str] = field(default_factory=dict)  # trail, all, halt, more, fewer

    def data(self) -> dict[str, Any]:
        return {shown: plain(getattr(self, name)) for name, shown in names(Followed)}


@dataclass(frozen=True)
class Traced(Followed):
    """The same, and what Python knows of it: which number it is, if that has a name; where its largest term is from."""

    source: Source | None = None
    behind: Source | None = None
    given: RunSpec = AT_HAND  # of which run its numbers are, if not of the page's own


def panel_words(t: Callable[[str], str]) -> dict[str, str]:
    """The panel's own words, in the words of cells."""
    return {name: t(key) for name, key in SAID.items()}
