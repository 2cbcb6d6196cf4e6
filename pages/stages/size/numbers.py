"""How this page writes counts: every digit where they can be read, else four."""

from pages.shared.words.numbers import grouped, short

READABLE = 10**12
UNITS = ("B", "kB", "MB", "GB", "TB", "PB", "EB")


def counted(n: int) -> str:
    return grouped(n) if n < READABLE else short(float(n))


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
