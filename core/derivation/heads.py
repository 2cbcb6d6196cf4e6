"""Weights of a head, step by step, that are not the model's own: scores not divided by √d_k, words as a whole."""

from collections.abc import Sequence

import numpy as np

from core.derivation.attention import keys, read, share
from core.derivation.operators import total
from core.derivation.origins import Cell, Measure
from core.derivation.rules import scores
from core.derivation.steps import Derivation, Named, Step, Sum, Vector
from core.views.attention import AttentionView


def unscaled(view: AttentionView, head: int, q: int, k: int) -> Derivation:
    """The same where √d_k was dropped: softmax of q · k itself."""
    product = scores.made(read(view, "query", head, q, None), read(view, "key", head, k, None))[0]
    row = view.key[head].astype(np.float64) @ view.query[head, q].astype(np.float64) + view.mask[q]
    most = float(row.max())
    row -= most  # e to an unscaled score may be larger than any float
    steps = [product, Step("unscaled", product.value, {"d_head": view.d_head})]
    if view.mask[q, k] < 0:
        steps.append(Step("mask", -np.inf, {"score": product.value}))
    of_query = Cell(view.taps["query"], (head, q, None))

    def product_of(key: int) -> Measure:
        return Measure("dot", (of_query, Cell(view.taps["key"], (head, key, None))))

    products = Named(row + most, source=product_of)
    whole = Sum(np.exp(row), products, Vector(np.zeros(len(row))), names=keys(view), id="powers_shifted")
    steps.append(share("softmax_shifted", whole, k, score=float(row[k]), most=most))
    return Derivation(tuple(steps), float(view.weights[head, q, k]))


def by_word(view: AttentionView, head: int, rows: Sequence[int], columns: Sequence[int], shown: float) -> Derivation:
    """The weight from one word to another: the weights from the queries of the first to the keys of the second, added
    up and divided by the number of queries. Terms go along the keys first; `shown` is the number in the picture."""
    places = [(q, k) for q in rows for k in columns]
    weights = np.array([view.weights[head, q, k] for q, k in places], np.float64)
    each = Named(weights, source=lambda i: Cell(view.taps["weights"], (head, *places[i])))
    collected = total("collected", each, 1, queries=len(rows), keys=len(columns))
    parts = {"total": collected.value, "queries": len(rows)}
    mean = Step("averaged", collected.value / len(rows), parts)
    return Derivation((collected, mean), shown)
