"""The heads side by side, · W^O, plus a bias: what an attention writes."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index, Origin
from .linear import steps, there
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, dim = index
    return Cell(place.tap("context"), (None, token, None)), *there(flow, f"{place}.to_output", dim)


HEADS = Rule(reads, steps, products=lambda flow, place: flow.config.d_model)
