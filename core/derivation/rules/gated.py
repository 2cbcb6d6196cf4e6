"""A feed-forward network with a gate (SwiGLU: Shazeer 2020): what the gate lets through of each hidden number."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index, Origin
from ..steps import Step, Vector, stepped
from .linear import steps, there
from .rule import Rule


def widened(name: str) -> Rule:
    """The gate, or what it is to let through."""

    def reads(flow: Flow, place: Place, index: Index) -> tuple[Origin, ...]:
        token, unit = index
        return Cell(flow.reading(place), (token, None)), *there(flow, f"{place}.to_{name}", unit)

    return Rule(reads, steps, products=lambda flow, place: flow.config.d_model)


def gate_read(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(place.tap("gate"), index),)


def silu(flow: Flow, place: Place, index: Index, gate: Vector) -> list[Step]:
    """g · 1 / (1 + e^−g) (Hendrycks & Gimpel 2016)."""
    sigmoid = 1 / (1 + math.exp(-float(gate)))
    return [
        stepped("sigmoid", sigmoid, gate=gate),
        stepped("silu", float(gate) * sigmoid, gate=gate, sigmoid=sigmoid),
    ]


def both_read(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return Cell(place.tap("up"), index), Cell(place.tap("activated"), index)


def gated(flow: Flow, place: Place, index: Index, up: Vector, activated: Vector) -> list[Step]:
    return [stepped("gated", float(up) * float(activated), up=up, activated=activated)]


GATED = {
    "gate": widened("gate"),
    "up": widened("up"),
    "activated": Rule(gate_read, silu, products=lambda flow, place: 1),
    "product": Rule(both_read, gated, products=lambda flow, place: 1),
}
