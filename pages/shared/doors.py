"""Numbers in sentences and tables that can be pressed: each begins a trail of its own."""

import numpy as np

from core.derivation import Cell, Measure, Origin, Source
from core.views.attention import AttentionView
from pages.shared.crumbs import crumb_of
from pages.shared.numbers import Number, short
from pages.shared.stage import Look


def number(look: Look, value: float, origin: Source, text: str = "") -> float:
    """A number of this page's run that can be pressed wherever it is written, as `text` if not short; unless a question
    is open. `origin` is the cell or parameter that it is, or what was measured of rows."""
    found = Number(value)
    found.text = text or short(value)
    found.trail = "" if look.veiled else crumb_of(look.page.model, origin, full=True)
    return found


def measured(look: Look, value: float, kind: str, *of: Origin) -> float:
    """The same of what is measured of whole rows (core.derivation.measures.KINDS)."""
    return number(look, value, Measure(kind, of))


def attended(look: Look, view: AttentionView, name: str, *index: int) -> float:
    """The same of one of the arrays of an attention, by its name there."""
    return number(look, getattr(view, name)[index], Cell(view.taps[name], index))


def two_largest(look: Look, row: np.ndarray, of: Cell) -> dict[str, float]:
    """The weights that the answer of a question about a row names; `of` says where the row [key] stands."""
    best, second = (int(k) for k in np.argsort(-row, kind="stable")[:2])
    return {f"{name}_weight": number(look, row[k], of.at(k)) for name, k in (("best", best), ("second", second))}
