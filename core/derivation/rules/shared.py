"""A key or a value of a group, as each head of the group has it (Ainslie et al. 2023)."""

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector, fetched
from .rule import Rule


def shared(of: str) -> Rule:
    """A copy of what the tap called `of` has for the head's group."""

    def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
        head, token, dim = index
        return (Cell(place.tap(of), (flow.group(head), token, dim)),)

    return Rule(reads, steps)


def steps(flow: Flow, place: Place, index: Index, entry: Vector) -> list[Step]:
    head, config = index[0], flow.config
    assert head is not None and config.groups
    group = flow.group(head)
    assert group is not None
    return [fetched("shared", entry, head=head + 1, group=group + 1, heads=config.heads // config.groups)]


SHARED = {"shared_key": shared("rotated_key"), "shared_value": shared("value")}
