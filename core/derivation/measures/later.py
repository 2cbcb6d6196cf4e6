"""How much of a decoder's own attention lies on words that are not written yet: of a row of its mask, or of all."""

import numpy as np

from core.capture import Capture
from core.derivation.measures.kind import Kind
from core.derivation.measures.many import mean_steps
from core.derivation.origins import Cell, Measure
from core.derivation.steps import Named, Step, Vector, with_terms
from core.errors import InputError
from core.model.places import attention_at
from core.views.translation import peeked


def of_mask(what: Measure) -> bool:
    """It is called by the mask of the first layer: where nothing is lifted, that lets nothing of it through."""
    return what.of[0].name == attention_at("self", 0).tap("mask")


def weights(run: Capture) -> np.ndarray:
    """[layer, head, query, key] of the decoder's self-attention."""
    assert run.by is not None
    taps = [attention_at("self", i).tap("weights") for i in range(run.by.config.decoder_layers)]
    found = run.fetch(taps)
    return np.stack([found[tap] for tap in taps])


def later(run: Capture, what: Measure) -> float:
    """The mean of all layers and heads. Raises InputError for the last row, which has nothing after it."""
    shares, row = peeked(weights(run)), int(what.of[0].index[0] or 0)
    if row + 1 >= len(shares):
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(shares[row])


def later_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    own, row = weights(run).astype(np.float64), int(what.of[0].index[0] or 0)
    layers, heads, n, _ = own.shape
    places = [(i, h, k) for i in range(layers) for h in range(heads) for k in range(row + 1, n)]

    def source(at: int) -> Cell:
        layer, head, key = places[at]
        return Cell(attention_at("self", layer).tap("weights"), (head, row, key))

    picked = Named(np.array([own[i, h, row, k] for i, h, k in places]), source=source)
    total = float(picked.values.sum())
    added = with_terms(Step("later_sum", total), picked.values, picked, Vector(np.ones(len(picked))))
    count = layers * heads
    return added, Step("later_mean", total / count, {"sum": total, "heads": str(count)})


def later_rows(run: Capture, what: Measure) -> float:
    shares = peeked(weights(run))
    if len(shares) < 2:
        raise InputError("not_a_cell", text=str(what)[:80])
    return float(shares[:-1].mean())


def later_rows_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    mask, shares = what.of[0].name, peeked(weights(run).astype(np.float64))[:-1]
    return mean_steps("later_rows", Named(shares, source=lambda i: Measure("later", (Cell(mask, (i, None)),))))


KINDS = {
    "later": Kind((1,), later, later_steps, of_mask, terms="number"),
    "later_rows": Kind((2,), later_rows, later_rows_steps, of_mask, terms="rows"),
}
