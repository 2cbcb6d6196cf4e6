"""Any cell of any tap of any model: the steps that make it, recomputed in float64, and what they were made of."""

from collections.abc import Callable, Sequence

from ..capture import Capture
from ..model.places import split
from .changed import changes, with_changes
from .flow import Flow
from .measures import measure
from .origins import Cell, Measure, Origin, within
from .reading import array, check, reads, rule_of, taps
from .steps import Derivation, Step, Vector, onward


def derive(run: Capture, cell: Cell | Measure | str) -> Derivation:
    """How one captured number was made, from captured numbers and parameters, never from itself; or what is measured.

    The cell may also be written: "encoder.2.attention.scores[8,5,6]". What `run` did not keep of what made it is
    captured again from the same input. Of a cell of another run, the derivation names the numbers of that.
    Raises InputError for a tap the model does not have, for a cell outside its tap, and for a number that was not
    computed of others but learned or recorded.
    """
    if isinstance(cell, Measure):
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


def made(flow: Flow, cell: Cell, read: Callable[[Origin], Vector]) -> Sequence[Step]:
    """The steps to a number, edits and all."""
    edited, source = changes(flow, cell)
    if carried := flow.carried(source.tap):
        steps = made(flow, Cell(carried, source.index), read)
    else:
        place, rule = split(source.tap)[0], rule_of(flow, source.tap)
        steps = rule.steps(flow, place, source.index, *map(read, rule.reads(flow, place, source.index)))
    return with_changes(edited, steps, cell)
