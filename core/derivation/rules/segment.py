"""The first text or the second: a row of the segment table, the same for every token of one text."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Index, Weight
from ..steps import Step, Vector, fetched
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Weight, ...]:
    token, dim = index
    segment = None if token is None else flow.tokens(place)[token].segment
    return (Weight(f"{place}.segment_table.weight", (segment, dim)),)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    token, dim = index
    assert token is not None and dim is not None
    return [fetched("segment", entry, segment=flow.tokens(place)[token].segment, dim=dim)]


SEGMENT = Rule(reads, steps)
