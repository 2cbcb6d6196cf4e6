"""The last state · a row of the embedding table, the very one the words came in by (Vaswani et al. 2017, 3.4), or of a
matrix of its own."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index, Origin, Weight
from ..steps import Step, Vector, summed
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, word = index
    return Cell(flow.top("decoder"), (token, None)), Weight(flow.model.rows, (word, None))


def steps(flow: Flow, place: Place, index: Index, state: Vector, row: Vector) -> list[Step]:
    return [summed("logit", state, row)]


LOGITS = Rule(reads, steps, products=lambda flow, place: flow.config.d_model)
