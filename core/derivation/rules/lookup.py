"""A token's id names a row of the embedding table, and the row holds the number."""

from core.derivation.flow import TABLE, Flow
from core.derivation.origins import Index, Weight
from core.derivation.rules.rule import Rule
from core.derivation.steps import Step, Vector, fetched
from core.model.places import Place


def reads(flow: Flow, place: Place, index: Index) -> tuple[Weight, ...]:
    token, dim = index
    return (Weight(TABLE, (None if token is None else flow.tokens(place)[token].id, dim)),)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    token, dim = index
    assert token is not None and dim is not None
    return [fetched("lookup", entry, id=flow.tokens(place)[token].id, dim=dim)]


LOOKUP = Rule(reads, steps)
