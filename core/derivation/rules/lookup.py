"""A token's id names a row of the embedding table, and the row holds the number."""

from ...model.places import Place
from ..flow import TABLE, Flow
from ..origins import Index, Weight
from ..steps import Step, Vector, fetched
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Weight, ...]:
    token, dim = index
    return (Weight(TABLE, (None if token is None else flow.tokens(place)[token].id, dim)),)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    token, dim = index
    assert token is not None and dim is not None
    return [fetched("lookup", entry, id=flow.tokens(place)[token].id, dim=dim)]


LOOKUP = Rule(reads, steps)
