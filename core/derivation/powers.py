"""e to the power of a number, in print: whoever takes the exponent as it is printed comes to the result as printed.

A result has four significant digits (36,390 has five); its exponent has as many decimals as that needs, which are more
than elsewhere: exp(17.37) is anything between 34,794,000 and 35,144,000.
"""

import math
import re
from collections.abc import Mapping

from ..numbers import DIGITS, RAISED, fixed, scientific, short

OPENED = "exp("
WITHIN = re.compile(r"exp\((.*?)\)")
ALONE = re.compile(r"exp\(\{(\w+)\}\)")
NAMES = re.compile(r"\{(\w+)(?::summand)?\}")
RESULTS = ("power", "value")
QUOTIENT = "{power} ÷ {total}"
LOWERED = {raised: chr(plain) for plain, raised in RAISED.items()}
WHOLE, LONG = 1e5, 1e4  # from here on: a result as 3.501×10⁷; an exponent that no decimals are added to
DECIMALS = 5  # where two numbers make an exponent
MOST = 12


def power(x: float, digits: int = DIGITS) -> str:
    """e to some power, or a sum of such: 0.5063, 36,390, 3.501×10⁷."""
    return scientific(x, digits) if math.isfinite(x) and x >= WHOLE else short(x, digits)


def of_powers(template: str) -> bool:
    """Whether what a text gives was made of powers of e."""
    return OPENED in template


def exponent(x: float, result: float) -> str:
    """The exponent of a result, with the fewest decimals that lead to it."""
    texts = (short(x), *(fixed(x, decimals) for decimals in range(DECIMALS - 1, MOST)))
    if not math.isfinite(x):
        return texts[0]
    return next((text for text in texts if power(math.exp(read(text))) == power(result)), texts[-1])


def divided(one: float, by: float) -> tuple[str, str]:
    """A power and the sum it is divided by, with the fewest digits that lead to the quotient: 1260 ÷ 1278.4."""
    texts = [(power(one, mine), power(by, its)) for mine in range(DIGITS, MOST) for its in range(mine, MOST)]
    right = short(one / by) if by else ""
    return next((pair for pair in texts if by and short(read(pair[0]) / read(pair[1])) == right), texts[0])


def read(text: str) -> float:
    """The number that a text says."""
    mantissa, _, raised = text.replace("−", "-").replace(",", "").partition("×10")
    return float(mantissa) * 10.0 ** int(raised.translate(LOWERED) or 0)


def part(x: float) -> str:
    """One of the numbers that make an exponent; what few digits say exactly (a temperature of 2) has no more."""
    if not 1 <= abs(x) < LONG:
        return short(x)
    return f"{x:g}".replace("-", "−") if x == round(x, 2) else fixed(x, DECIMALS)


def printed(template: str, values: Mapping[str, object]) -> dict[str, object]:
    """The values of a text, its powers of e and their exponents written out."""
    if not of_powers(template):
        return dict(values)
    numbers = {name: x for name in NAMES.findall(template) if isinstance(x := values.get(name), float)}
    within = {name for found in WITHIN.findall(template) for name in NAMES.findall(found)}
    texts = {name: part(x) if name in within else power(x) for name, x in numbers.items()}
    result = next((numbers[name] for name in RESULTS if name in numbers), None)
    for name in ALONE.findall(template):
        if result is not None and name in numbers:
            texts[name] = exponent(numbers[name], result)
    if QUOTIENT in template.replace("\u00a0", " "):
        texts["power"], texts["total"] = divided(numbers["power"], numbers["total"])
    return {**values, **texts}
