"""The heads side by side, · W^O, plus a bias: what an attention writes."""

from core.derivation.flow import Flow
from core.derivation.origins import Cell, Index, Origin
from core.derivation.rules.linear import steps, there
from core.derivation.rules.rule import Rule
from core.model.places import Place


def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, dim = index
    return Cell(place.tap("context"), (None, token, None)), *there(flow, f"{place}.to_output", dim)


HEADS = Rule(reads, steps, products=lambda flow, place: flow.config.d_model)
