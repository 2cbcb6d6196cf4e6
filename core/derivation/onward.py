"""What a number goes into, one step on: of every tap that reads it the numbers of which it is the largest part."""

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from ..capture import TOKENS, Capture
from ..ranking import largest
from .ancestry import Ancestry, Edge, Node, standing
from .derive import derive
from .flow import Flow
from .origins import Cell, Origin, Weight
from .reading import array, reads, value
from .steps import Derivation, Step

NAMED = 4  # numbers of a tap that go by name


def goes_into(run: Capture, cell: Cell, named: int = NAMED) -> Ancestry:
    """The numbers that are made of this one: it is the first node, and each share is that of this number in the other,
    |term| ÷ Σ |term|; of each tap the `named` with the largest terms. Raises InputError as `derive` does."""
    flow = Flow.of(run)
    start = standing(flow, cell.inside(flow.shape(cell.tap)))
    nodes, edges = [Node(start, 1.0, value(run, start))], []
    for tap in flow.dims:
        found = [(made, part_of(derive(run, made), flow, start)) for made in candidates(run, flow, start, tap, named)]
        parts = [(made, part) for made, part in found if part is not None and part[0]]
        for made, (term, size, left, right) in sorted(parts, key=lambda pair: -abs(pair[1][0]))[:named]:
            share = abs(term) / size
            edges.append(Edge(len(nodes), 0, share, term, left, right))
            nodes.append(Node(made, share, value(run, made)))
    return Ancestry(tuple(nodes), tuple(edges))


def candidates(run: Capture, flow: Flow, start: Origin, tap: str, named: int) -> list[Cell]:
    """The cells of a tap to which the number may add most; none where it reads another."""
    if flow.carried(tap) or tap == start.name:
        return []
    there = beside(flow, start, tap)
    if not any(standing(flow, origin).covers(start) for origin in reads(flow, there[0])):
        return []
    matrix = matrix_with(derive(run, there[0]), flow, start)
    if matrix is None:
        return there
    name, column = matrix
    free = [i for i, dim in enumerate(flow.dims[tap]) if dim not in TOKENS]
    counts = [flow.shape(tap)[i] for i in free]
    column_of = array(run, name)[:, column]
    if len(column_of) != int(np.prod(counts)):
        return there
    found = []
    for row in largest(np.abs(column_of), named):
        index = list(there[0].index)
        for i, place in zip(free, np.unravel_index(int(row), counts), strict=True):
            index[i] = int(place)
        found.append(Cell(tap, tuple(index)))
    return found


def beside(flow: Flow, start: Origin, tap: str) -> list[Cell]:
    """The cells of a tap that stand where the number stands: at its token, head and dimension, as far as the tap has
    these; of a look from one token to another, at every other one."""
    along = {dim: int(i or 0) for dim, i in zip(flow.dims[start.name], start.index, strict=True)}
    own = [index for dim, index in along.items() if dim in TOKENS]
    dims, shape = flow.dims[tap], flow.shape(tap)
    tokens = [dim for dim in dims if dim in TOKENS]

    def places(dim: str, size: int) -> Iterable[int]:
        if dim in along:
            return [min(along[dim], size - 1)]
        if dim in TOKENS and not (len(tokens) == 1 and len(own) == 1 and "d_head" not in along):
            return range(size)
        return [min(own[0], size - 1)] if dim in TOKENS and own else [0]

    return [Cell(tap, index) for index in product(*map(places, dims, shape))]


def matrix_with(made: Derivation, flow: Flow, start: Origin) -> tuple[Weight, int] | None:
    """The learned matrix a number is multiplied by on its way, and by which of its columns."""
    for step in made.steps:
        for i, left, _ in terms_with(step, flow, start):
            assert step.sum is not None
            of = (step.sum.left.of, step.sum.right.of)[left]
            if isinstance(of, Weight) and len(of.index) == 2 and of.index[1] is None:
                return Weight(of.name, (None, None)), i
    return None


def terms_with(step: Step, flow: Flow, start: Origin) -> Iterator[tuple[int, bool, Origin]]:
    """Where in a sum the number stands: which term, and whether it is its left factor."""
    if step.sum is None:
        return
    for is_left, side in ((True, step.sum.left), (False, step.sum.right)):
        if side.of is not None and not standing(flow, side.of).covers(start):
            continue
        for i in range(len(step.sum.terms)):
            origin = side.origin(i)
            if isinstance(origin, Origin) and standing(flow, origin) == start:
                yield i, is_left, origin


def part_of(made: Derivation, flow: Flow, start: Origin) -> tuple[float, float, float | None, float | None] | None:
    """The term of a number in another, the size of all terms there, and its two factors; what is no sum takes it
    whole."""
    for step in reversed(made.steps):
        for i, _, _ in terms_with(step, flow, start):
            assert step.sum is not None
            term = step.sum.term(i)
            left, right = (term.left, term.right) if term.made is None else (None, None)
            return term.value, float(np.abs(step.sum.terms).sum()), left, right
        parts = [float(step.parts[name]) for name in step.of]
        for name, origin in step.of.items():
            if isinstance(origin, Origin) and standing(flow, origin) == start:
                own = float(step.parts[name])
                return own, sum(map(abs, parts)) if step.terms else abs(own), None, None
    return None
