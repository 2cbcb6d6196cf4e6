"""How likely a word is, step by step: its logit, divided by T, and its share of the row."""

import math

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.origins import Cell, Weight
from core.derivation.rules.softmax import shift_of
from core.derivation.steps import Derivation, Step, Vector, stepped, summed
from core.views.output import OutputView


def derive(view: OutputView, depth: int, row: int, word: int, temperature: float = 1.0) -> Derivation:
    """The probability of `word` after a row of the target, as the state at `depth` has it at this temperature."""
    tap = view.depths[depth].tap
    state = Vector(view.states[depth, row].astype(np.float64), Cell(tap, (row, None)))
    own = Vector(view.table[word].astype(np.float64), Weight(TABLE, (word, None)))
    dot = summed("dot", state, own)
    logits = view.table.astype(np.float64) @ state.values / temperature
    shift = shift_of(logits)
    total = float(np.exp(logits - shift).sum())
    warm = dot.value / temperature
    steps = [dot]
    if temperature != 1:
        steps.append(Step("warm", warm, {"logit": dot.value, "temperature": temperature}))
    steps.append(Step("shifted" if shift else "total", total, {"words": f"{len(logits):,}", "largest": shift}))
    power = math.exp(warm - shift)
    steps.append(stepped("share", power / total, score=warm, power=power, total=total, largest=shift))
    captured = float(view.shares(depth, row, temperature)[word])
    return Derivation(tuple(steps), captured, cell=cell(view, depth, row, word, temperature))


def cell(view: OutputView, depth: int, row: int, word: int, temperature: float) -> Cell | None:
    """The number itself, where it was captured."""
    own = depth == len(view.depths) - 1 and temperature == 1
    return Cell("output.probabilities", (row, word)) if own else None
