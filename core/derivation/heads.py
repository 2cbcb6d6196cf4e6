"""A weight of any head, step by step, as the model is and with its scores not divided by √d_k."""

from collections.abc import Sequence

import numpy as np

from core.derivation.attention import derive, read
from core.derivation.rules import scores
from core.derivation.steps import Derivation, Step, summed
from core.views.attention import AttentionView


def weight(view: AttentionView, head: int, q: int, k: int) -> Derivation:
    """The weight [q, k] of one head; all counted from 0."""
    return derive(view, "weights", head, q, k)


def unscaled(view: AttentionView, head: int, q: int, k: int) -> Derivation:
    """The same where √d_k was dropped: softmax of q · k itself."""
    product = scores.made(read(view, "query", head, q, None), read(view, "key", head, k, None))[0]
    row = view.key[head].astype(np.float64) @ view.query[head, q].astype(np.float64) + view.mask[q]
    most = float(row.max())
    row -= most  # e to an unscaled score may be larger than any float
    powers = np.exp(row)
    steps = [product, Step("unscaled", product.value, {"d_head": view.d_head})]
    if view.mask[q, k] < 0:
        steps.append(Step("mask", -np.inf, {"score": product.value}))
    parts = {"score": float(row[k]), "power": float(powers[k]), "total": float(powers.sum()), "most": most}
    share = float(powers[k] / powers.sum())
    steps.append(Step("softmax_shifted", share, parts, tuple(float(p) for p in powers), focus=k))
    return Derivation(tuple(steps), float(view.weights[head, q, k]))


def by_word(weights: np.ndarray, rows: Sequence[int], columns: Sequence[int], shown: float) -> Derivation:
    """The weight from one word to another: of each query of the first the sum over the keys of the second, then their
    mean. weights [query, key] of the head; `shown` is the number in the picture."""
    block = weights[np.ix_(list(rows), list(columns))].astype(np.float64)
    sums = block.sum(-1)
    collected = summed("collected", sums, np.ones(len(rows)), keys=len(columns))
    mean = Step("averaged", float(sums.mean()), {"total": float(sums.sum()), "queries": len(rows)})
    return Derivation((collected, mean), shown)
