"""What a feed-forward network makes of each of its hidden numbers, by itself: GELU, written out, or ReLU."""

import math

from ...model.places import Place
from ..flow import Flow
from ..origins import Cell, Index
from ..steps import Step, Vector, stepped
from .rule import Rule

CUBE = 0.044715  # of x³, in GELU by tanh


def reads(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(place.tap("hidden"), index),)


def gelu(flow: Flow, place: Place, index: Index, x: Vector) -> list[Step]:
    """x · ½ (1 + erf(x ÷ √2)): as much of x as a bell curve has to its left (Hendrycks & Gimpel 2016)."""
    erf = math.erf(float(x) / math.sqrt(2))
    share = (1 + erf) / 2
    return [
        stepped("erf", erf, x=x),
        Step("share", share, {"erf": erf}),
        stepped("gelu", float(x) * share, x=x, share=share),
    ]


def gelu_tanh(flow: Flow, place: Place, index: Index, x: Vector) -> list[Step]:
    """x · ½ (1 + tanh(√(2/π) (x + 0.044715 x³))): nearly the same, as GPT-2 has it (Hendrycks & Gimpel 2016, 2)."""
    tanh = math.tanh(bent(float(x)))
    share = (1 + tanh) / 2
    return [
        stepped("tanh", tanh, x=x),
        Step("tanh_share", share, {"tanh": tanh}),
        stepped("gelu", float(x) * share, x=x, share=share),
    ]


def bent(x: float) -> float:
    """√(2/π) (x + 0.044715 x³), whose tanh is nearly erf(x ÷ √2)."""
    return math.sqrt(2 / math.pi) * (x + CUBE * x**3)


def relu(flow: Flow, place: Place, index: Index, x: Vector) -> list[Step]:
    """x where it is above 0, else 0."""
    return [stepped("relu", max(0.0, float(x)), x=x)]


ACTIVATIONS = {
    "gelu": Rule(reads, gelu, products=lambda flow, place: 2),  # ½ · (…), and x · that
    "gelu_new": Rule(reads, gelu_tanh, products=lambda flow, place: 2),
    "relu": Rule(reads, relu),
}
