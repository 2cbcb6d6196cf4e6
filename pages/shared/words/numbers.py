"""The one way numbers look: four significant digits (core.numbers), three in a sentence; and as HTML."""

import html

from core.numbers import DIGITS, exact, fixed, grouped, percent, short

__all__ = [
    "DIGITS",
    "PROSE",
    "Html",
    "Number",
    "abridged",
    "exact",
    "fixed",
    "grouped",
    "in_prose",
    "percent",
    "short",
    "shown",
    "written",
]

PROSE = 3


class Number(float):
    """A number that comes from somewhere: wherever it stands in HTML it can be pressed (doors.py)."""

    text: str  # how it is written, where not as any other number
    trail: str  # how a trail begins that begins with it; "" where nothing may be followed yet


class Html(str):
    """A text that is HTML already."""


def written(x: object, digits: int = DIGITS) -> str:
    """Any value as HTML: every digit of a number on hover, and one that comes from somewhere as a button."""
    return pressed(x, shown(x, digits))


def in_prose(x: object, digits: int = PROSE) -> str:
    """The same in a sentence, where 6.00×10⁻⁸ has room around its sign."""
    text = shown(x, digits)
    return pressed(x, text.replace("×10", "\u202f×\u202f10") if isinstance(x, float) else text)


def abridged(text: str, every: str) -> Html:
    """A number written shorter than elsewhere, with every digit on hover."""
    return Html(f"<span title='{every}'>{text}</span>")


def pressed(x: object, text: str) -> str:
    if isinstance(x, Number) and x.trail:
        return f"<button class='number' data-trail='{html.escape(x.trail)}' title='{exact(x)}'>{text}</button>"
    return x if isinstance(x, Html) else html.escape(text)


def shown(x: object, digits: int = DIGITS) -> str:
    """Any value as text: whole numbers and texts as they are, others short."""
    if isinstance(x, Number) and x.text:
        return x.text
    return short(x, digits) if isinstance(x, float) else str(x)
