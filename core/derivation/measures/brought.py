"""What a token brings along when it is looked at (Kobayashi et al. 2020, section 3); and what a head
writes, and its share of the whole."""

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.rows import length_steps, part_steps
from core.derivation.origins import Cell, Measure, Origin, Weight
from core.derivation.steps import Named, Step, Vector, summed, with_terms
from core.errors import InputError
from core.model.places import split

OF = {"wrote": "context", "writes": "context", "joins": "context"}  # what goes through W^O; of the others, a value
ONE = {"value": "brought", "context": "wrote"}  # one number of it, behind W^O


def brings(run: Capture, what: Measure, value: Origin) -> tuple[np.ndarray, Weight]:
    """[d_model, d_head] the part of W^O that a head's values go through, and what the whole of it is called. Raises
    InputError for what is no such row."""
    place, word = split(value.name)
    if word != OF.get(what.kind, "value") or not place.kind:
        raise InputError("not_a_cell", text=str(value)[:80])
    matrix = Weight(f"{place}.to_output.weight", (None, None))
    d_head, head = array(run, value).shape[-1], int(value.index[0] or 0)
    return array(run, matrix)[:, head * d_head : (head + 1) * d_head], matrix


def brought(run: Capture, what: Measure) -> float:
    """One number of v · W^O."""
    value, line = what.of
    part, matrix = brings(run, what, value)
    if line.name != matrix.name:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(read(run, value) @ part[int(line.index[0] or 0)])


def brought_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    value, line = what.of
    part, matrix = brings(run, what, value)
    dim, first = int(line.index[0] or 0), int(value.index[0] or 0) * part.shape[1]
    column = Named(part[dim].astype(np.float64), source=lambda i: Weight(matrix.name, (dim, first + i)))
    return (summed("brought_sum", Vector.read(array(run, value), value), column),)


def carried(run: Capture, what: Measure) -> float:
    """‖v · W^O‖"""
    part, _ = brings(run, what, what.of[0])
    return float(np.linalg.norm(read(run, what.of[0]) @ part.T))


def carried_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return length_steps(through(run, what))


def through(run: Capture, what: Measure) -> Named:
    """[d_model] v · W^O in float64: each number of it is a measure, too."""
    value = what.of[0]
    part, matrix = brings(run, what, value)
    numbers, one = read(run, value).astype(np.float64) @ part.T.astype(np.float64), ONE[split(value.name)[1]]
    return Named(numbers, source=lambda i: Measure(one, (value, Weight(matrix.name, (i, None)))))


def joins(run: Capture, what: Measure) -> float:
    """How much of a whole output a head is: c · o ÷ o · o, where c is what it writes."""
    head, output = what.of
    if output.name != head.name.removesuffix("context") + "output" or output.index[0] != head.index[1]:
        raise InputError("not_a_cell", text=str(what)[:80])
    whole = read(run, output).astype(np.float64)
    return float(through(run, what).values @ whole / (whole @ whole))


def joins_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    return part_steps(through(run, what), Vector.read(array(run, what.of[1]), what.of[1]))


def share(run: Capture, what: Measure) -> float:
    """Of all that a row takes, what comes from one key."""
    weights, lengths, key = taking(run, what, np.float32)
    each = weights * lengths
    return float(each[key] / each.sum())


def taking(run: Capture, what: Measure, kind: type) -> tuple[np.ndarray, np.ndarray, int]:
    """[key] the weights of a row and ‖v W^O‖, and which key is meant. Raises InputError for rows of two heads."""
    of, value = what.of
    part, _ = brings(run, what, value)
    if of.name != value.name.removesuffix("value") + "weights" or of.index[0] != value.index[0]:
        raise InputError("not_a_cell", text=str(what)[:80])
    values = array(run, value)[value.index[0]].astype(kind)
    lengths = np.linalg.norm(values @ part.astype(kind).T, axis=-1)
    return read(run, of).astype(kind), lengths, int(value.index[1] or 0)


def taken(run: Capture, what: Measure) -> float:
    """weight · ‖v W^O‖"""
    weights, lengths, key = taking(run, what, np.float32)
    return float(weights[key] * lengths[key])


def taken_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of, value), (weights, lengths, key) = what.of, taking(run, what, np.float64)
    own = {"weight": float(weights[key]), "length": float(lengths[key])}
    return (
        Step("taken_own", own["weight"] * own["length"], own, of={"weight": of.at(key), "length": carry(value, key)}),
    )


def share_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    of, value = what.of
    weights, lengths, key = taking(run, what, np.float64)
    each = weights * lengths
    (first,), total = taken_steps(run, what), float(each.sum())
    bring = Named(lengths, source=lambda k: carry(value, k))
    added = with_terms(Step("taken_sum", total), each, Vector(weights, of), bring, focus=key)
    return first, added, Step("taken_share", first.value / total, {"own": first.value, "total": total})


def carry(value: Origin, key: int) -> Measure:
    return Measure("carried", (Cell(value.name, (value.index[0], key, None)),))


KINDS = {
    "brought": Kind((1, 1), brought, brought_steps),
    "carried": Kind((1,), carried, carried_steps),
    "wrote": Kind((1, 1), brought, brought_steps),
    "writes": Kind((1,), carried, carried_steps),
    "joins": Kind((1, 1), joins, joins_steps),
    "taken": Kind((1, 1), taken, taken_steps),
    "share": Kind((1, 1), share, share_steps, terms="key"),
}
