"""How much of a decoder's own attention lies on words that are not written yet: of a row of its mask, or of all."""

import numpy as np

from ...capture import Capture
from ...model.places import attention_at
from ...views.translation import peeked
from ..operators import divided, mean, total
from ..origins import Cell, Measure
from ..steps import Named
from .kind import Kind, Steps, refused


def of_mask(what: Measure) -> bool:
    """It is called by the mask of the first layer: where nothing is lifted, that lets nothing of it through."""
    return what.of[0].name == attention_at("self", 0).tap("mask")


def weights(run: Capture) -> np.ndarray:
    """[layer, head, query, key] of the decoder's self-attention, in float64."""
    assert run.by is not None
    taps = [attention_at("self", i).tap("weights") for i in range(run.by.config.decoder_layers)]
    found = run.fetch(taps)
    return np.stack([found[tap] for tap in taps]).astype(np.float64)


def later(run: Capture, what: Measure) -> Steps:
    """The mean of all layers and heads. Raises InputError for the last row, which has nothing after it."""
    own, row = weights(run), int(what.of[0].index[0] or 0)
    layers, heads, n, _ = own.shape
    if row + 1 >= n:
        raise refused(what)
    picked = own[:, :, row, row + 1 :]

    def source(at: int) -> Cell:
        layer, head, key = (int(i) for i in np.unravel_index(at, picked.shape))
        return Cell(attention_at("self", layer).tap("weights"), (head, row, row + 1 + key))

    added = total("later_sum", Named(picked.reshape(-1), source=source), 1)
    return added, divided("later_mean", added, heads=layers * heads)


def later_rows(run: Capture, what: Measure) -> Steps:
    shares = peeked(weights(run))[:-1]
    if not len(shares):
        raise refused(what)
    return mean("later_rows", Named(shares, source=lambda i: Measure("later", (Cell(what.of[0].name, (i, None)),))))


KINDS = {
    "later": Kind((1,), later, of_mask, terms="number"),
    "later_rows": Kind((2,), later_rows, of_mask, terms="rows"),
}
