"""Σ weight · value, over the keys: what a query takes along of those it looks at."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector, summed
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    head, q, dim = index
    return Cell(place.tap("weights"), (head, q, None)), Cell(place.tap("value"), (flow.group(head), None, dim))


def steps(flow: Flow, place: Place, index: Index, weights: Vector, values: Vector) -> list[Step]:
    return [summed("mixture", weights, values)]


def keys(flow: Flow, place: Place) -> int:
    return flow.shape(place.tap("weights"))[2]


CONTEXT = Rule(reads, steps, products=keys)
