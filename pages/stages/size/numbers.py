"""How this page writes counts: every digit where they can be read, else four."""

from pages.shared.words.numbers import Html, abridged, grouped, short
from pages.shared.words.texts import Texts

READABLE = HUGE = 10**12
LARGE = {"zh": (10**8, 10**4), "en": (10**9, 10**6)}  # what a language counts large numbers in
UNITS_OF = {"zh": ("亿", "万"), "en": ("B", "M")}
UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")


def counted(n: int) -> str:
    return grouped(n) if n < READABLE else short(float(n))


def rounded(t: Texts, n: int) -> Html:
    """In the units of the language and three digits, every digit on hover."""
    sizes = zip((HUGE, *LARGE[t.language]), ("huge", "large", "small"), strict=True)
    text = next((f"{short(n / size, 3)} {t(f'units.{id}')}" for size, id in sizes if n >= size), grouped(n))
    return abridged(text, grouped(n))


def lettered(t: Texts, n: int) -> Html:
    """The same with four digits, as authors write it: 334.1 M, 1.316 B; in Chinese 3.341 亿, 13.16 亿."""
    return abridged(in_units(t, n, 4), grouped(n))


def in_units(t: Texts, n: float, digits: int | None = None) -> str:
    """In the largest unit that it has one of, all its digits or so many."""
    sizes = zip(LARGE[t.language], (UNITS_OF[t.language]), strict=True)
    size, unit = next(((size, unit) for size, unit in sizes if n >= size), (1, ""))
    number = f"{n / size:,g}" if digits is None else short(n / size, digits)
    return f"{number}\u00a0{unit}" if unit else number


def bytes_of(n: int) -> str:
    """In units of a thousand."""
    size, unit = float(n), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{short(size) if unit else n} {UNITS[unit]}"


def percent(share: float) -> str:
    if 0 < share < 0.0005:
        return "<\u00a00.1\u00a0%"
    return f"{100 * share:.1f}\u00a0%"
