"""The one way a number is written: four significant digits. assets/components/kit/format.js does it the same way."""

import math

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DIGITS = 4  # where a number is looked up: a picture, a table, a trail


def short(x: float, digits: int = DIGITS) -> str:
    """0.8357, 27.51, 155.0, 1,278, 30,522, 6.000×10⁻⁸; a real minus sign. A whole number keeps all its digits."""
    if math.isnan(x):
        return "–"
    if math.isinf(x):
        return "∞" if x > 0 else "−∞"
    if x == 0:
        return "0"
    rounded = f"{x:.{digits - 1}e}"
    size = abs(float(rounded))
    if size < 1e-4 or size >= 1e9:
        text = scientific(x, digits)
    elif size >= min(1000, 10**digits):
        text = f"{x:,.{max(0, digits - len(str(int(size))))}f}"
    else:
        text = f"{x:#.{digits}g}".rstrip(".")
    return text.replace("-", "−")


def scientific(x: float, digits: int = DIGITS) -> str:
    """3.501×10⁷, whatever the size."""
    mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
    return f"{mantissa}×{power_of_ten(int(exponent))}".replace("-", "−")


def fixed(x: float, digits: int) -> str:
    """So many digits behind the point, where a column wants points under each other; nothing is −0."""
    text = f"{x:.{digits}f}"
    return (text.lstrip("-") if float(text) == 0 else text).replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """10⁻⁸, 10, 10²; and 1."""
    return {0: "1", 1: "10"}.get(exponent, f"10{str(exponent).translate(RAISED)}")


def exact(x: float) -> str:
    """Every digit a float64 holds, for hovering."""
    return repr(float(x)).replace("-", "−")


def grouped(n: int) -> str:
    """A count or a place: every digit, in threes, with a real minus sign."""
    return f"{n:,}".replace("-", "−")


def percent(share: float) -> str:
    """A share of 0 to 1 in whole percents: 0 is none and 100 is all, so that 356 of 357 are 99.7."""
    for digits in range(DIGITS):
        text = f"{100 * share + 1e-9:.{digits}f}"  # a half goes up, as the browser has it
        if not 0 < share < 1 or float(text) not in (0, 100):
            return text
    return "<0.001" if share < 0.5 else ">99.999"
