"""How likely a word is, step by step: its logit, divided by T, and its share of the row."""

import math
from collections.abc import Callable

import numpy as np

from core.derivation.flow import TABLE
from core.derivation.origins import Cell, Measure, Weight
from core.derivation.rules.softmax import shift_of
from core.derivation.steps import Derivation, Named, Step, Vector, stepped, summed, with_terms
from core.views.output import OutputView


def derive(
    view: OutputView,
    depth: int,
    row: int,
    word: int,
    temperature: float = 1.0,
    called: Callable[[int], str] = str,
) -> Derivation:
    """The probability of `word` after a row of the target, as the state at `depth` has it at this temperature; what
    each word is `called` stands beside its term."""
    tap = view.depths[depth].tap
    state = Vector(view.states[depth, row].astype(np.float64), Cell(tap, (row, None)))
    own = Vector(view.table[word].astype(np.float64), Weight(TABLE, (word, None)))
    dot = summed("dot", state, own)
    total, shift = total_of(state, view.table, word, temperature, called)
    warm = dot.value / temperature
    steps = [dot]
    if temperature != 1:
        steps.append(Step("warm", warm, {"logit": dot.value, "temperature": temperature}))
    power = math.exp(warm - shift)
    share = stepped("share", power / total.value, score=warm, power=power, total=total.value, largest=shift)
    steps += [total, share]
    captured = float(view.shares(depth, row, temperature)[word])
    return Derivation(tuple(steps), captured, cell=cell(view, depth, row, word, temperature))


def total_of(
    state: Vector, table: np.ndarray, word: int, temperature: float, called: Callable[[int], str]
) -> tuple[Step, float]:
    """Σ e^(logit ÷ T) over the rows of the table, and what is taken off each first, where they are large."""
    products = table.astype(np.float64) @ state.values
    shift = shift_of(products / temperature)
    powers = np.exp(products / temperature - shift)

    def product(id: int) -> Measure:
        assert state.of is not None
        return Measure("dot", (state.of, Weight(TABLE, (id, None))))

    divided = Vector(np.full(len(products), temperature))
    id = ("warm_" if temperature != 1 else "") + ("shifted" if shift else "total")
    step = Step(id, float(powers.sum()), {"words": f"{len(products):,}", "largest": shift})
    step = with_terms(step, powers, Named(products, source=product), divided, focus=word, names=called)
    return step, shift


def cell(view: OutputView, depth: int, row: int, word: int, temperature: float) -> Cell | None:
    """The number itself, where it was captured."""
    own = depth == len(view.depths) - 1 and temperature == 1
    return Cell("output.probabilities", (row, word)) if own else None
