"""Any cell of any tap of any model: the steps that make it, recomputed in float64, and what they were made of."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from core.capture import Capture, near
from core.derivation.changed import changes, told
from core.derivation.flow import Flow
from core.derivation.origins import Cell, Measure, Origin, Recorded, Source, Weight
from core.derivation.recorded import record
from core.derivation.rules import Rule, rules_at
from core.derivation.steps import Derivation, Step, Vector
from core.errors import InputError
from core.model.places import split


def derive(run: Capture, cell: Cell) -> Derivation:
    """How one captured number was made, from captured numbers and parameters, never from itself.

    What `run` did not keep of these is captured again from the same input.
    Raises InputError for a tap the model does not have, and for a cell outside its tap.
    """
    flow = Flow.of(run)
    check(flow, cell)
    read = reads(flow, cell)
    run.fetch(taps(flow, cell))
    steps = made(flow, cell, lambda origin: Vector.read(array(run, origin), origin))
    return Derivation(tuple(steps), float(array(run, cell)[cell.index]), read, onward(steps), cell)


def taps(flow: Flow, cell: Cell) -> tuple[str, ...]:
    """The taps that a derivation of this cell looks at, its own too."""
    return cell.tap, *(origin.name for origin in reads(flow, cell) if isinstance(origin, Cell))


def check(flow: Flow, cell: Cell) -> None:
    """Raise InputError unless there is such a cell."""
    if cell.tap not in flow.dims:
        raise InputError("unknown_tap", tap=cell.tap[:80], near=near(cell.tap, flow.dims))
    shape = flow.shape(cell.tap)
    inside = len(cell.index) == len(shape) and all(
        type(place) is int and 0 <= place < size for place, size in zip(cell.index, shape, strict=True)
    )
    if not inside:
        raise InputError("cell_outside", cell=str(cell)[:80], shape=" × ".join(map(str, shape)))


def array(run: Capture, origin: Origin) -> np.ndarray:
    """The array a number stands in: of a tap, or of the model's parameters; of another run, where it is of one."""
    if origin.given is not None:
        tap = (origin.name,) if isinstance(origin, Cell) else ()
        return array(run.beside(origin.given, tap), replace(origin, given=None))
    if isinstance(origin, Recorded):
        return record(origin.name)
    if isinstance(origin, Weight):
        assert run.by is not None
        module, _, parameter = origin.name.rpartition(".")
        return run.by.parts[module].get_parameter(parameter).detach().numpy()
    return run.fetch((origin.name,))[origin.name]


def value(run: Capture, origin: Origin) -> float:
    """The number that stands there."""
    return float(array(run, origin)[origin.slices])


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
    return told(edited, steps, cell)


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
