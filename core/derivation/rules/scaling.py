"""A token's vector times √d, so that positions do not drown it (Vaswani et al. 2017, 3.4)."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector, stepped
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(place.tap("token"), index),)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    d_model = flow.config.d_model
    return [stepped("root", float(entry) * math.sqrt(d_model), entry=entry, d_model=d_model)]


SCALING = Rule(reads, steps, products=lambda flow, place: 1)
