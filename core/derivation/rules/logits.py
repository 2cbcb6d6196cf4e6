"""The last state · a row of the embedding table, the very one the words came in by (Vaswani et al. 2017, 3.4)."""

from core.derivation.flow import TABLE, Flow
from core.derivation.origins import Cell, Index, Origin, Weight
from core.derivation.rules.rule import Rule
from core.derivation.steps import Step, Vector, summed
from core.model.places import Place


def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
    token, word = index
    return Cell(flow.top("decoder"), (token, None)), Weight(TABLE, (word, None))


def steps(flow: Flow, place: Place, index: Index, state: Vector, row: Vector) -> list[Step]:
    return [summed("logit", state, row)]


LOGITS = Rule(reads, steps, products=lambda flow, place: flow.config.d_model)
