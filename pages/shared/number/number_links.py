"""Numbers in sentences and tables that can be pressed: each begins a trail of its own."""

import numpy as np

from core.derivation import Cell, Measure, Origin, RunSpec, Source
from core.derivation.origins import within
from core.model.places import attention_at
from core.ranking import largest
from core.views.attention import AttentionView
from pages.shared.number.cell_path import FITS, path_of
from pages.shared.page.stage import StageContext
from pages.shared.words.numbers import Number


def number(context: StageContext, value: float, origin: Source, text: str = "", given: RunSpec | None = None) -> float:
    """A number that can be pressed wherever it is written, unless a question is open; `text` is how it is written, if
    not as any other. `origin` is the cell or parameter that it is, or what was measured of rows; of the run that was
    `given` this, if not of the one that the page follows."""
    found = Number(value)
    found.text = text
    source = within(origin, given) if given else origin
    path = "" if context.veiled else path_of(context.page.model, source, full=True)
    found.trail = path if len(path) <= FITS else ""
    return found


def measured(
    context: StageContext, value: float, kind: str, *of: Origin, text: str = "", given: RunSpec | None = None
) -> float:
    """The same of what is measured of whole rows (core.derivation.measures.KINDS)."""
    return number(context, value, Measure(kind, of), text, given)


def attended(context: StageContext, view: AttentionView, name: str, *index: int, given: RunSpec | None = None) -> float:
    """The same of one of the arrays of an attention, by its name there."""
    return number(context, getattr(view, name)[index], Cell(view.taps[name], index), given=given)


def projected(
    context: StageContext, view: AttentionView, name: str, head: int, token: int, dim: int, given: RunSpec | None = None
) -> float:
    """A number of a query, key or value as W makes it, before it is turned or shared."""
    group, place = view.group(name, head), attention_at(view.kind, view.layer)
    return number(context, view.made[name][group, token, dim], Cell(place.tap(name), (group, token, dim)), given=given)


def two_largest(context: StageContext, row: np.ndarray, of: Cell) -> dict[str, float]:
    """The weights that the answer of a question about a row names; `of` says where the row [key] stands."""
    best, second = (int(k) for k in largest(row, 2))
    return {f"{name}_weight": number(context, row[k], of.at(k)) for name, k in (("best", best), ("second", second))}
