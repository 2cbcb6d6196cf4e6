"""Any cell of any tap of any model: the steps that make it, recomputed in float64, and what they were made of."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..capture import Capture, suggestion
from ..errors import InputError
from ..model.places import split
from .changed import changes, with_changes
from .flow import Flow
from .origins import Cell, Measure, Origin, Recorded, Source, Weight, within
from .recorded import record
from .rules import Rule, rules_at
from .steps import Derivation, Step, Vector


def derive(run: Capture, cell: Cell | Measure | str) -> Derivation:
    """How one captured number was made, from captured numbers and parameters, never from itself; or what is measured.

    The cell may also be written: "encoder.2.attention.scores[8,5,6]". What `run` did not keep of what made it is
    captured again from the same input. Of a cell of another run, the derivation names the numbers of that.
    Raises InputError for a tap the model does not have, for a cell outside its tap, and for a number that was not
    computed of others but learned or recorded.
    """
    if isinstance(cell, Measure):
        from .measures import measure

        return measure(run, cell)
    if isinstance(cell, Cell) and cell.given is not None:
        return derive(run.beside(cell.given, (cell.tap,)), within(cell, None))
    flow = Flow.of(run)
    cell = check(flow, cell)
    read = reads(flow, cell)
    run.fetch(taps(flow, cell))
    steps = made(flow, cell, lambda origin: Vector.read(array(run, origin), origin))
    changed = tuple(change.edit.id for change in changes(flow, cell)[0])
    return Derivation(tuple(steps), float(array(run, cell)[cell.index]), read, onward(steps), cell, changed)


def taps(flow: Flow, cell: Cell) -> tuple[str, ...]:
    """The taps that a derivation of this cell looks at, its own too."""
    return cell.tap, *(origin.name for origin in reads(flow, cell) if isinstance(origin, Cell))


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


def value(run: Capture, origin: Origin) -> float:
    """The number that stands there. Raises InputError where none does."""
    found = array(run, origin)
    origin = origin.inside(found.shape)
    if None in origin.index:
        raise InputError("cell_outside", cell=str(origin)[:80], shape=" × ".join(map(str, found.shape)))
    return float(found[origin.slices])


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


def made(flow: Flow, cell: Cell, read: Callable[[Origin], Vector]) -> Sequence[Step]:
    """The steps to a number, edits and all."""
    edited, source = changes(flow, cell)
    if carried := flow.carried(source.tap):
        steps = made(flow, Cell(carried, source.index), read)
    else:
        place, rule = split(source.tap)[0], rule_of(flow, source.tap)
        steps = rule.steps(flow, place, source.index, *map(read, rule.reads(flow, place, source.index)))
    return with_changes(edited, steps, cell)


def onward(steps: Sequence[Step]) -> Source | None:
    """The origin that matters most: of the last step that names a cell, or else a measure, or a parameter, the largest
    term's or the first; of numbers simply added up, the largest one's."""
    for kind in (Cell, Measure, Weight):
        for step in reversed(steps):
            found = [(value, origin) for value, origin in main(step) if isinstance(origin, kind)]
            if found:
                return max(found, key=lambda pair: abs(pair[0]))[1] if adds(step) else found[0][1]
    return None


def adds(step: Step) -> bool:
    """Whether its parts themselves are what is added up."""
    return bool(step.terms) and not step.largest


def main(step: Step) -> list[tuple[float, Source]]:
    """The numbers of a step that may lead on, what matters most first: of a product the right factor, which a weight
    of attention only carries."""
    numbers = [(float(step.parts[name]), origin) for name, origin in step.of.items()]
    for term in step.largest[:1]:
        factors = ((term.right, term.right_of), (term.left, term.left_of))
        numbers = [(value, origin) for value, origin in factors if origin is not None] + numbers
    return numbers if step.at is None else [*numbers, (step.value, step.at)]
