"""Everything a number was made of, back to what was learned: the largest terms of each step by name, the others of a
step as one bundle. `walk` goes one way back; this goes all ways that carry more than a small share.

A share is a part of one number: a sum hands it on to its terms by their sizes, |term| ÷ Σ |term|; what is made of one
number above all (a norm's, an activation's) hands it on whole; of a product of two numbers of the sentence each has
half, but for a weight of attention, which only carries. Ways that meet again add up.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..capture import Capture
from ..model.places import split
from ..ranking import largest
from .derive import derive
from .flow import Flow
from .origins import Cell, Measure, Origin, Source, Weight
from .reading import value
from .steps import Derivation, Step, Term, adds

NAMED = 4  # terms of a step that go by name
LEAST = 0.001  # a share that is still followed
MOST = 300  # numbers that are followed


@dataclass(frozen=True)
class Part:
    """One term on its way into a number: its exact value, the two it is the product of, where it is one, and how much
    of it is the source's."""

    source: Origin
    value: float
    left: float | None = None
    right: float | None = None
    part: float = 1.0


@dataclass(frozen=True)
class Parts:
    """What a number was made of: the largest terms, how large all are, and how many are not named."""

    named: tuple[Part, ...]
    size: float  # Σ |term|
    others: int
    rest: float  # what those add up to


@dataclass(frozen=True)
class Node:
    """A number in the ancestry, and its share of the number that one asked about."""

    source: Origin
    share: float
    value: float


@dataclass(frozen=True)
class Edge:
    """Of one node, by its place, made of another; `into` None: a bundle of `others` terms that are not named."""

    made: int
    of: int | None
    share: float
    value: float
    left: float | None = None
    right: float | None = None
    others: int = 0


@dataclass(frozen=True)
class Ancestry:
    """The number asked about is the first node; whatever is made of others stands before these."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def ancestry(
    run: Capture, cell: Cell, named: int = NAMED, least: float = LEAST, most: int = MOST, opened: int = NAMED
) -> Ancestry:
    """The way back of a captured number along all terms that carry at least a share of `least`: the `named` largest of
    each step, `opened` of the first, and at most `most` numbers. Along the largest of all it goes to the end, however
    little that carries.

    Raises InputError as `derive` does.
    """
    flow = Flow.of(run)
    order = depths(tuple(flow.dims))
    start = standing(flow, cell.inside(flow.shape(cell.tap)))
    share: dict[Origin, float] = {start: 1.0}
    open_, done, drawn, main = {start}, [], [], {start}
    while open_ and len(done) < most:
        at = max(open_, key=lambda origin: (order.get(origin.name, -1), share[origin]))
        open_.remove(at)
        done.append(at)
        if not isinstance(at, Cell):
            continue
        parts = parts_of(derive(run, at), named if done[1:] else max(named, opened))
        greatest = max(parts.named, key=lambda part: abs(part.value), default=None) if at in main else None
        for part in parts.named:
            source = standing(flow, part.source)
            carried = share[at] * part.part * abs(part.value) / parts.size
            if part is greatest:
                main.add(source)
            elif carried < least:
                continue
            share[source] = share.get(source, 0.0) + carried
            drawn.append((at, source, carried, part))
            if source not in done:
                open_.add(source)
        if parts.others:
            rest = share[at] * (1 - sum(part.part * abs(part.value) for part in parts.named) / parts.size)
            drawn.append((at, None, rest, parts))
    done += sorted(open_, key=lambda origin: -share[origin])
    index = {origin: i for i, origin in enumerate(done)}
    nodes = tuple(Node(origin, share[origin], value(run, origin)) for origin in done)
    return Ancestry(nodes, tuple(edge(index, *one) for one in drawn))


def edge(index: dict[Origin, int], made: Origin, of: Origin | None, share: float, what: Part | Parts) -> Edge:
    if isinstance(what, Parts):
        return Edge(index[made], None, share, what.rest, others=what.others)
    assert of is not None
    return Edge(index[made], index[of], share, what.value, what.left, what.right)


@lru_cache(maxsize=32)
def depths(taps: tuple[str, ...]) -> dict[str, int]:
    """How far along the way each tap stands."""
    return {tap: i for i, tap in enumerate(taps)}


def standing(flow: Flow, origin: Origin) -> Origin:
    """The same number where it was made: not where it is only carried on."""
    while isinstance(origin, Cell) and (carried := flow.carried(origin.tap)):
        origin = Cell(carried, origin.index)
    return origin


def parts_of(made: Derivation, named: int) -> Parts:
    """The terms of the last step that adds any up, and the bias that comes after; else the number that matters most."""
    at = next((i for i in reversed(range(len(made.steps))) if summing(made.steps[i])), None)
    if at is None:
        return alone(made)
    found = terms_of(made.steps[at], named)
    after = [Part(o, v, v) for step in made.steps[at + 1 :] for v, o in own(step) if isinstance(o, Weight)]
    size = found.size + sum(abs(part.value) for part in after)
    return Parts((*found.named, *after), size or 1.0, found.others, found.rest)


def summing(step: Step) -> bool:
    """Whether its terms are numbers that can be followed."""
    if step.sum is not None:
        return step.sum.right.origin(0) is not None or step.sum.left.origin(0) is not None
    return adds(step) and any(isinstance(origin, Origin) for origin in step.of.values())


def own(step: Step) -> list[tuple[float, Source]]:
    return [(float(step.parts[name]), origin) for name, origin in step.of.items()]


def terms_of(step: Step, named: int) -> Parts:
    if step.sum is None:
        parts = [Part(origin, value) for value, origin in own(step) if isinstance(origin, Origin)]
        return Parts(tuple(parts), sum(abs(part.value) for part in parts), 0, 0.0)
    terms = np.abs(step.sum.terms)
    best = [step.sum.term(int(i)) for i in largest(terms, named) if terms[i]]
    parts = [part for term in best for part in parts_in(term)]
    rest = float(step.sum.terms.sum()) - sum(term.value for term in best)
    return Parts(tuple(parts), float(terms.sum()), int((terms > 0).sum()) - len(best), rest)


def parts_in(term: Term) -> list[Part]:
    """A term as a part of those of its two factors that a way goes on with: numbers of the sentence before learned
    ones, and no weight of attention where there is anything else."""
    there = [origin for origin in (term.right_of, term.left_of) if isinstance(origin, Origin)]
    cells = [origin for origin in there if isinstance(origin, Cell)]
    moved = [origin for origin in cells if split(origin.tap)[1] != "weights"]
    of = tuple(dict.fromkeys(moved or cells or there[:1]))
    left, right = (term.left, term.right) if term.made is None else (None, None)
    return [Part(origin, term.value, left, right, 1 / len(of)) for origin in of]


def alone(made: Derivation) -> Parts:
    """What is not a sum goes back whole along the number that matters most."""
    onward = made.onward
    if onward is None or isinstance(onward, Measure):
        return Parts((), 1.0, 0, 0.0)
    value = next((value for step in made.steps for value, origin in step.numbers() if origin == onward), made.value)
    return Parts((Part(onward, value),), abs(value) or 1.0, 0, 0.0)
