"""Numbers read out of a run, by what they are called; and what each is made of."""

from dataclasses import replace

import numpy as np

from ..capture import Capture, suggestion
from ..errors import InputError
from ..model.places import split
from .changed import changes
from .flow import Flow
from .origins import Cell, Origin, Recorded, Weight
from .recorded import record
from .rules import Rule, rules_at


def array(run: Capture, origin: Origin) -> np.ndarray:
    """The array a number stands in: of a tap, or of the model's parameters; of another run, where it is of one.

    Raises InputError where there is no such array.
    """
    if origin.given is not None:
        tap = (origin.name,) if isinstance(origin, Cell) else ()
        return array(run.beside(origin.given, tap), replace(origin, given=None))
    if isinstance(origin, Recorded):
        return record(origin.name)
    if isinstance(origin, Weight):
        return learned(run, origin.name)
    return run.fetch((origin.name,))[origin.name]


def value(run: Capture, origin: Origin) -> float:
    """The number that stands there. Raises InputError where none does."""
    found = array(run, origin)
    origin = origin.inside(found.shape)
    if None in origin.index:
        raise InputError("cell_outside", cell=str(origin)[:80], shape=" × ".join(map(str, found.shape)))
    return float(found[origin.slices])


def learned(run: Capture, name: str) -> np.ndarray:
    """A parameter of the run's model, by its name. Raises InputError where there is none."""
    if run.by is None:
        raise InputError("no_model", model=run.model)
    module, _, parameter = name.rpartition(".")
    try:
        return run.by.parts[module].get_parameter(parameter).detach().numpy()
    except (AttributeError, KeyError):
        raise InputError("unknown_weight", name=name[:80], near=suggestion(name, run.by.learned)) from None


def placed(run: Capture, origin: Origin) -> Origin:
    """The same number or row, its places counted from 0. Raises InputError where the array has none such.

    Of another run, only where a place is counted from the end: that run is not made for this alone.
    """
    if origin.given is not None:
        if all(axis is None or axis >= 0 for axis in origin.index):
            return origin
        there = run.beside(origin.given, (origin.name,) if isinstance(origin, Cell) else ())
        return replace(placed(there, replace(origin, given=None)), given=origin.given)
    if not isinstance(origin, Cell):
        return origin.inside(array(run, origin).shape)
    if origin.name not in run.tap_dims:
        raise InputError("unknown_tap", tap=origin.name[:80], near=suggestion(origin.name, run.tap_dims))
    return origin.inside(run[origin.name].shape if origin.name in run else Flow.of(run).shape(origin.name))


def check(flow: Flow, cell: Cell | str) -> Cell:
    """The cell, its places counted from 0. Raises InputError unless there is such a cell."""
    cell = Cell.parse(cell) if isinstance(cell, str) else cell
    if not isinstance(cell, Cell):
        raise InputError("not_derived", number=str(cell)[:80])
    if cell.tap not in flow.dims:
        raise InputError("unknown_tap", tap=cell.tap[:80], near=suggestion(cell.tap, flow.dims))
    shape = flow.shape(cell.tap)
    if None in cell.index:
        raise InputError("cell_outside", cell=str(cell)[:80], shape=" × ".join(map(str, shape)))
    return cell.inside(shape)


def rule_of(flow: Flow, tap: str) -> Rule:
    """The rule of a tap that makes something: of one that only carries there is none."""
    place, word = split(tap)
    return rules_at(flow, place)[word]


def reads(flow: Flow, cell: Cell) -> tuple[Origin, ...]:
    """Everything a number is made of: cells and parameters, and whole rows of them. What passes a tap as it was is made
    of what made it."""
    _, source = changes(flow, cell)
    if carried := flow.carried(source.tap):
        return reads(flow, Cell(carried, source.index))
    place, _ = split(source.tap)
    return rule_of(flow, source.tap).reads(flow, place, source.index)


def taps(flow: Flow, cell: Cell) -> tuple[str, ...]:
    """The taps that a derivation of this cell looks at, its own too."""
    return cell.tap, *(origin.name for origin in reads(flow, cell) if isinstance(origin, Cell))
