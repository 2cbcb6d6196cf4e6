"""A token's vector times √d, so that positions do not drown it (Vaswani et al. 2017, 3.4)."""

import math

from core.derivation.flow import Flow
from core.derivation.origins import Cell, Index
from core.derivation.rules.rule import Rule
from core.derivation.steps import Step, Vector, stepped
from core.model.places import Place


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(place.tap("token"), index),)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    d_model = flow.config.d_model
    return [stepped("root", float(entry) * math.sqrt(d_model), entry=entry, d_model=d_model)]


SCALING = Rule(reads, steps, products=lambda flow, place: 1)
