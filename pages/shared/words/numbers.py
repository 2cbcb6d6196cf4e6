"""The one way numbers look: four significant digits. assets/components/kit/format.js writes them the same way."""

import html
import math


class Number(float):
    """A number that comes from somewhere: wherever it stands in HTML it can be pressed (doors.py)."""

    text: str
    trail: str  # how a trail begins that begins with it; "" where nothing may be followed yet


class Html(str):
    """A text that is HTML already."""


def short(x: float) -> str:
    """0.8357, 27.51, 155.0, 30,522, 6.000e−8; a real minus sign."""
    if math.isnan(x):
        return "–"
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if x == 0:
        return "0"
    size = abs(float(f"{x:.3e}"))
    if size < 1e-4 or size >= 1e9:
        mantissa, exponent = f"{x:.3e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    elif size >= 1e4:
        text = f"{x:,.0f}"
    else:
        text = f"{x:#.4g}".rstrip(".")
    return text.replace("-", "−")


def exact(x: float) -> str:
    """Every digit a float64 holds, for hovering."""
    return repr(float(x)).replace("-", "−")


def grouped(n: int) -> str:
    """A count or a place: every digit, in threes, with a real minus sign."""
    return f"{n:,}".replace("-", "−")


def written(x: object) -> str:
    """Any value as HTML: every digit of a number on hover, and one that comes from somewhere as a button."""
    if isinstance(x, Number) and x.trail:
        return f"<button class='number' data-trail='{html.escape(x.trail)}' title='{exact(x)}'>{x.text}</button>"
    if isinstance(x, Html):
        return x
    return html.escape(shown(x))


def shown(x: object) -> str:
    """Any value as it stands in a sentence: whole numbers and texts as they are, others short."""
    if isinstance(x, Number):
        return x.text
    return short(x) if isinstance(x, float) else str(x)
