"""A page as its stage declares it, drawn from top to bottom in the one order that most pages have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import streamlit as st

from core.figures.followed import Followed
from core.figures.picture import Picture
from pages.shared.number.follow import follow
from pages.shared.page import parts, predict
from pages.shared.page.exercises import exercises
from pages.shared.page.open_it import open_it
from pages.shared.page.opened import Opened
from pages.shared.page.parts import Place
from pages.shared.page.stage import FOLLOWED, PICTURE, StageContext, piece
from pages.shared.pictures import components
from pages.shared.pictures.pictures import packed

Drawing = Callable[[Any], object]
Facts = Mapping[str, object]


def nothing(context: StageContext) -> None:
    """What a page does not have."""


def shows(component: str, make: Callable[[Any], Any], key: str = "", of: Sequence[str] | None = None) -> Drawing:
    """What is made of a context, in the component that draws it: where it is made `of` these values alone, and of those
    that chose the view, once for all who have them."""

    def draw(context: StageContext) -> None:
        if of is not None:
            data = packed(context.only(*of), make)
        else:
            made = make(context)
            data = made.pack() if isinstance(made, Picture) else made.data()
        getattr(components, component)(key=key or component, data=data)

    return draw


def stacked(*drawings: Drawing) -> Drawing:
    """One below the other."""

    def draw(context: StageContext) -> None:
        for drawing in drawings:
            drawing(context)

    return draw


@dataclass(frozen=True)
class Panel:
    """The picture left, the number that is followed right."""

    picture: Drawing
    followed: Callable[[Any], Followed]
    widths: tuple[float, float]
    gap: Literal["medium", "large"] = "large"
    above: Drawing = nothing
    below: Drawing = nothing
    beside: Drawing = nothing  # the picture, under the number
    says: Callable[[Place, Place, Any], None] | None = None  # into the places of the lead and of what to notice
    says_with: str = PICTURE  # or FOLLOWED, where a click on a cell changes what is said

    def draw(self, lead: Place, noticed: Place, context: StageContext) -> None:
        says = partial(self.says, lead, noticed) if self.says else None
        if says and self.says_with == PICTURE:
            says(context)
        self.above(context)
        left, right = st.columns(self.widths, gap=self.gap)
        with left:
            self.picture(context)
        with right:
            follow(context, self.followed, also=says if self.says_with == FOLLOWED else None)
            self.beside(context)
        self.below(context)


@dataclass(frozen=True)
class Body:
    """All that stands below the frame: title, question, picture, what to notice, sections, what can be opened."""

    panel: Panel
    opened: Callable[[Any], Opened]
    resets: Sequence[str]  # the parameters that an answer sets back to the opening
    try_this: Callable[[Any], tuple[str, Facts] | None]
    lead: Callable[[Any], tuple[str, Facts]] | None = None  # where it does not follow what is selected
    notices: Callable[[Any], Sequence[str]] = lambda context: ()  # those that do not follow what is selected
    above: Drawing = nothing  # the panel
    key: str | None = None  # of the panel's container, for the stylesheet
    waits: bool = False  # whether all that lies deeper would answer the question, and waits while it is open

    def __call__(self, context: StageContext) -> None:
        key, facts = self.lead(context) if self.lead else (None, {})
        lead = parts.title(context, key, **facts)
        predict.ask(context, self.resets)
        self.above(context)
        panel = st.container(key=self.key)
        noticed = parts.notice(context, self.notices(context), self.try_this(context))
        with panel:
            piece(context, PICTURE, partial(self.panel.draw, lead, noticed))
        foot(context, self.opened, self.waits)


def foot(context: StageContext, opened: Callable[[Any], Opened], waits: bool = False) -> None:
    """What every page ends with."""
    closed = waits and context.veiled
    if context.page.stage.sections:
        (parts.sections_wait if closed else parts.sections)(context)
    open_it(context, opened, closed=closed)
    exercises(context)
    parts.recap(context)
    parts.next_stop(context.page)
