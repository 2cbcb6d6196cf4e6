"""Numbers in sentences and tables that can be pressed: each begins a trail of its own."""

import numpy as np

from core.derivation import Cell, Origin
from core.derivation.measures import Cosine, Habit, Length, Ratio
from core.views.attention import AttentionView
from pages.shared.crumbs import Start, crumb_of
from pages.shared.numbers import Number, short
from pages.shared.stage import Look


def number(look: Look, value: float, origin: Start, text: str = "") -> float:
    """A number of this page's run that can be pressed wherever it is written, as `text` if not short; unless a question
    is open. `origin` is the cell or parameter that it is, or what was measured of rows."""
    found = Number(value)
    found.text = text or short(value)
    found.trail = "" if look.veiled else crumb_of(look.page.model, origin, full=True)
    return found


def length(look: Look, value: float, row: Origin) -> float:
    """The same of a row's length."""
    return number(look, value, Length(row))


def alike(look: Look, value: float, one: Origin, other: Origin) -> float:
    """The same of the cosine of two rows."""
    return number(look, value, Cosine(one, other))


def ratio(look: Look, value: float, one: Origin, other: Origin) -> float:
    """The same of how long a row is beside another."""
    return number(look, value, Ratio(one, other))


def habit(look: Look, value: float, name: str, head: Cell) -> float:
    """The same of what a head does on average."""
    return number(look, value, Habit(name, head))


def attended(look: Look, view: AttentionView, name: str, *index: int) -> float:
    """The same of one of the arrays of an attention, by its name there."""
    return number(look, getattr(view, name)[index], Cell(view.taps[name], index))


def two_largest(look: Look, row: np.ndarray, of: Cell) -> dict[str, float]:
    """The weights that the answer of a question about a row names; `of` says where the row [key] stands."""
    best, second = (int(k) for k in np.argsort(-row, kind="stable")[:2])
    return {f"{name}_weight": number(look, row[k], of.at(k)) for name, k in (("best", best), ("second", second))}
