"""0 where a query may look, −∞ where it may not: at what comes later, and at padding. Made of places alone."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Index
from ..steps import Step
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[()]:
    return ()


def steps(flow: Flow, place: Place, index: Index) -> list[Step]:
    q, k = index
    assert q is not None and k is not None
    tokens = flow.run.side(place.tap("mask"), "key")
    if flow.stacks[place.stack].causal and place.kind != "cross" and k > q:
        return [Step("mask_later", -math.inf, {"q": q, "k": k})]
    if tokens is flow.run.tokens and k >= len(tokens) - flow.run.padding:
        return [Step("mask_padding", -math.inf, {"q": q, "k": k})]
    return [Step("mask_open", 0.0, {"q": q, "k": k})]


MASK = Rule(reads, steps)
