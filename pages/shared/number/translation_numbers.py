"""Whole translations and how likely they are: numbers that can be pressed, of the run that writes or reads them."""

from collections.abc import Sequence
from dataclasses import replace

from core.capture import translation_of
from core.derivation import Cell, Measure, Source
from core.derivation.measures.words import LIKELY
from core.run_spec import AT_HAND, RunSpec
from pages.shared.number.number_links import number
from pages.shared.page.renderings import ID
from pages.shared.page.stage import StageContext
from pages.shared.server import cached


def run_of(context: StageContext, text: str, ids: Sequence[int]) -> RunSpec | None:
    """The run that writes these words of a text, or reads them, whatever comes after; None where they cannot be typed
    so."""
    model, count = cached.model(ID), len(ids)
    assert model.words is not None
    other = None if context.page.address.model == ID else ID
    run = RunSpec(None if text == context.page.text else text, model=other)
    if [token.id for token in cached.translation(ID, text).target_out[:count]] == list(ids):
        return run
    typed = translation_of(model, ids).text
    again = [token.id for token in model.words.trace(typed).tokens[1:]]
    return replace(run, target=typed) if again[:count] == list(ids) else None


def pressed(context: StageContext, value: float, run: RunSpec | None, origin: Source) -> float:
    """A number of such a run, if there is one."""
    return value if run is None else number(context, value, origin, given=None if run == AT_HAND else run)


def log_of(context: StageContext, value: float, run: RunSpec | None, row: int) -> float:
    """The log-probability of a translation up to a row."""
    return pressed(context, value, run, Measure("path", (so_far(row),)))


def score_of(context: StageContext, value: float, run: RunSpec | None, row: int) -> float:
    """The same over what its length counts for."""
    return pressed(context, value, run, Measure("score", (so_far(row),)))


def so_far(row: int, run: RunSpec | None = None) -> Cell:
    """A translation, as far as it is written in a row."""
    cell = Cell(LIKELY, (row, None))
    return cell if run in (None, AT_HAND) else replace(cell, given=run)
