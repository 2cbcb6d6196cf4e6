"""What a token brings along when it is looked at (Kobayashi et al. 2020, section 3); and what a head
writes, and its share of the whole."""

import numpy as np

from ...capture import Capture
from ...model.places import split
from ..operators import length, number, part, ratio, total
from ..origins import Cell, Measure, Origin, Weight
from ..reading import array
from ..steps import Named, Step, Vector, stepped, summed
from .kind import Kind, Steps, read, refused

OF = {"wrote": "context", "writes": "context", "joins": "context"}  # what goes through W^O; of the others, a value
ONE = {"value": "brought", "shared_value": "brought", "context": "wrote"}  # one number of it, behind W^O


def brings(run: Capture, what: Measure, value: Origin) -> tuple[np.ndarray, Weight]:
    """[d_model, d_head] the part of W^O that a head's values go through, and what the whole of it is called. Raises
    InputError for what is no such row."""
    place, word = split(value.name)
    if word.removeprefix("shared_") != OF.get(what.kind, "value") or not place.kind:
        raise refused(value)
    matrix = Weight(f"{place}.to_output.weight", (None, None))
    (heads, _, d_head), head = array(run, value).shape, int(value.index[0] or 0)
    if heads * d_head != array(run, matrix).shape[1]:  # of a group: which head's part is meant, nothing says
        raise refused(value)
    return array(run, matrix)[:, head * d_head : (head + 1) * d_head], matrix


def brought(run: Capture, what: Measure) -> Steps:
    """One number of v · W^O."""
    value, line = what.of
    block, matrix = brings(run, what, value)
    if line.name != matrix.name:
        raise refused(what)
    dim, first = int(line.index[0] or 0), int(value.index[0] or 0) * block.shape[1]
    column = Named(block[dim].astype(np.float64), source=lambda i: Weight(matrix.name, (dim, first + i)))
    return (summed("brought_sum", Vector(read(run, value), value), column),)


def carried(run: Capture, what: Measure) -> Steps:
    """‖v · W^O‖"""
    return length(through(run, what))


def through(run: Capture, what: Measure) -> Named:
    """[d_model] v · W^O: each number of it is a measure, too."""
    value = what.of[0]
    block, matrix = brings(run, what, value)
    numbers, one = read(run, value) @ block.T.astype(np.float64), ONE[split(value.name)[1]]
    return Named(numbers, source=lambda i: Measure(one, (value, Weight(matrix.name, (i, None)))))


def joins(run: Capture, what: Measure) -> Steps:
    """How much of a whole output a head is: c · o ÷ o · o, where c is what it writes."""
    head, output = what.of
    if output.name != head.name.removesuffix("context") + "output" or output.index[0] != head.index[1]:
        raise refused(what)
    return part(through(run, what), Vector(read(run, output), output))


def taking(run: Capture, what: Measure) -> tuple[Vector, Named, int]:
    """[key] the weights of a row and ‖v W^O‖, and which key is meant. Raises InputError for rows of two heads."""
    of, value = what.of
    block, _ = brings(run, what, value)
    if of.name != split(value.name)[0].tap("weights") or of.index[0] != value.index[0]:
        raise refused(what)
    head, key, _ = value.index
    values = array(run, value)[head].astype(np.float64)
    lengths = np.linalg.norm(values @ block.T.astype(np.float64), axis=-1)

    def source(key: int) -> Measure:
        return Measure("carried", (Cell(value.name, (head, key, None)),))

    return Vector(read(run, of), of), Named(lengths, source=source), int(key or 0)


def taken(run: Capture, what: Measure) -> Steps:
    """weight · ‖v W^O‖"""
    weights, lengths, key = taking(run, what)
    return (of_key(weights, lengths, key),)


def of_key(weights: Vector, lengths: Vector, key: int) -> Step:
    weight, long = (number(float(each.values[key]), each.origin(key)) for each in (weights, lengths))
    return stepped("taken_own", float(weight) * float(long), weight=weight, length=long)


def share(run: Capture, what: Measure) -> Steps:
    """Of all that a row takes, what comes from one key."""
    weights, lengths, key = taking(run, what)
    first = of_key(weights, lengths, key)
    added = total("taken_sum", weights, lengths, terms=weights.values * lengths.values, focus=key)
    return first, added, ratio("taken_share", own=first.value, total=added.value)


KINDS = {
    "brought": Kind((1, 1), brought),
    "carried": Kind((1,), carried),
    "wrote": Kind((1, 1), brought),
    "writes": Kind((1,), carried),
    "joins": Kind((1, 1), joins),
    "taken": Kind((1, 1), taken),
    "share": Kind((1, 1), share, terms="key"),
}
