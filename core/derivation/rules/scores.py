"""q · k, then ÷ √d_head (Vaswani et al. 2017, 3.2.1)."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector, summed
from .rule import Rule


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    head, q, k = index
    turned = "rotated_" if place.tap("rotated_query") in flow.dims else ""
    query, key = place.tap(f"{turned}query"), place.tap(f"{turned}key")
    return Cell(query, (head, q, None)), Cell(key, (flow.group(head), k, None))


def steps(flow: Flow, place: Place, index: Index, query: Vector, key: Vector) -> list[Step]:
    return made(query, key)


def made(query: Vector, key: Vector) -> list[Step]:
    """The product of a query and a key, then scaled."""
    product = summed("product", query, key)
    return [product, scaled(product)]


def scaled(product: Step) -> Step:
    return Step("scale", product.value / math.sqrt(product.count), {"d_head": product.count})


SCORES = Rule(reads, steps, products=lambda flow, place: flow.config.d_head)
