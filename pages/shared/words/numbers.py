"""The one way numbers look: four significant digits, three in a sentence. assets/components/kit/format.js writes
four the same way."""

import html
import math
import re

DIGITS = 4  # where a number is looked up: a picture, a table, a trail
PROSE = 3
POWER = re.compile(r"e(−?\d+)$")
RAISED = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Number(float):
    """A number that comes from somewhere: wherever it stands in HTML it can be pressed (doors.py)."""

    text: str  # how it is written, where not as any other number
    trail: str  # how a trail begins that begins with it; "" where nothing may be followed yet


class Html(str):
    """A text that is HTML already."""


def short(x: float, digits: int = DIGITS) -> str:
    """0.8357, 27.51, 155.0, 30,522, 6.000e−8; a real minus sign. A whole number keeps all its digits."""
    if math.isnan(x):
        return "–"
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if x == 0:
        return "0"
    rounded = f"{x:.{digits - 1}e}"
    size = abs(float(rounded))
    if size < 1e-4 or size >= 1e9:
        mantissa, exponent = rounded.split("e")
        text = f"{mantissa}e{int(exponent)}"
    elif size >= 10**digits:
        text = f"{x:,.0f}" if size >= 1e4 else f"{x:.0f}"
    else:
        text = f"{x:#.{digits}g}".rstrip(".")
    return text.replace("-", "−")


def exact(x: float) -> str:
    """Every digit a float64 holds, for hovering."""
    return repr(float(x)).replace("-", "−")


def grouped(n: int) -> str:
    """A count or a place: every digit, in threes, with a real minus sign."""
    return f"{n:,}".replace("-", "−")


def written(x: object, digits: int = DIGITS) -> str:
    """Any value as HTML: every digit of a number on hover, and one that comes from somewhere as a button."""
    return pressed(x, shown(x, digits))


def in_prose(x: object, digits: int = PROSE) -> str:
    """The same in a sentence, where 6.00e−8 is 6.00 × 10⁻⁸."""
    text = shown(x, digits)
    return pressed(x, POWER.sub(raised, text) if isinstance(x, float) else text)


def raised(found: re.Match[str]) -> str:
    return f"\u202f×\u202f10{found[1].translate(RAISED)}"


def pressed(x: object, text: str) -> str:
    if isinstance(x, Number) and x.trail:
        return f"<button class='number' data-trail='{html.escape(x.trail)}' title='{exact(x)}'>{text}</button>"
    return x if isinstance(x, Html) else html.escape(text)


def shown(x: object, digits: int = DIGITS) -> str:
    """Any value as text: whole numbers and texts as they are, others short."""
    if isinstance(x, Number) and x.text:
        return x.text
    return short(x, digits) if isinstance(x, float) else str(x)
