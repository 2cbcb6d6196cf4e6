"""A number's share of its row: e^x ÷ Σ e^x. Attention weights, over the keys; probabilities, over the vocabulary."""

import math

import numpy as np

from ...model.places import Place
from ..flow import Flow
from ..operators import number, over, total
from ..origins import Cell, Index
from ..steps import Step, Vector, stepped
from .rule import Rule

LARGE = 80.0  # beyond this, e^x is no number to be read


def weights_read(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    head, q, _ = index
    return Cell(place.tap("scores"), (head, q, None)), Cell(place.tap("mask"), (q, None))


def weights(flow: Flow, place: Place, index: Index, scores: Vector, mask: Vector) -> list[Step]:
    return made(scores, int(index[2] or 0), mask)


def probabilities_read(flow: Flow, place: Place, index: Index) -> tuple[Cell, ...]:
    return (Cell(place.tap("logits"), (index[0], None)),)


def probabilities(flow: Flow, place: Place, index: Index, logits: Vector) -> list[Step]:
    return made(logits, int(index[1] or 0))


def made(row: Vector, at: int, mask: Vector | None = None) -> list[Step]:
    """What stands at `at` of a row. Where e^x would be too large or too small to read, it is e^(x − the largest)."""
    hidden = np.zeros(len(row)) if mask is None else mask.flat
    masked = row.flat + hidden
    shift = shift_of(masked)
    powers = np.exp(masked - shift)
    masking, kind = int((hidden < 0).sum()), "shifted" if shift else "total"
    sum = total(kind, row, Vector(hidden), terms=powers, focus=at, largest=shift, masked=masking)
    score = number(row.values[at], row.origin(at))
    before = []
    if mask is not None and hidden[at] < 0:
        shut = number(mask.values[at], mask.origin(at))
        before = [stepped("masked", float(masked[at]), score=score, mask=shut)]
    given = float(masked[at]) if before else score
    power = float(powers[at])
    return [*before, sum, stepped("softmax", over(power, sum.value), score=given, power=power, total=sum.value)]


def shift_of(row: np.ndarray) -> float:
    """What is taken off every number of a row first: nothing, unless the largest is far from 0."""
    largest = float(row.max()) if len(row) else 0.0
    return largest if math.isfinite(largest) and abs(largest) > LARGE else 0.0


WEIGHTS = Rule(weights_read, weights)
PROBABILITIES = Rule(probabilities_read, probabilities)
