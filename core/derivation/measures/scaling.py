"""What dividing by √d_k is for (Vaswani et al. 2017, section 3.2.1): the variance of q·k before it, what its products
would come to were they independent, and how decided the softmax would be. Of one head, where no mask hides a pair."""

import math

import numpy as np

from ...capture import Capture
from ...model.places import split
from ..operators import divided, mean, number, powers, squares, total, variance
from ..origins import Cell, Measure
from ..reading import array
from ..steps import Named, Step, Vector, stepped
from .kind import Kind, Steps, read, refused


def of_scores(what: Measure) -> bool:
    return split(what.of[0].name)[1] == "scores"


def of_products(what: Measure) -> bool:
    return tuple(split(of.name)[1] for of in what.of) == ("query", "key")


def width(run: Capture) -> int:
    assert run.by is not None
    return run.by.config.d_head


# ---- q·k, before it is divided


def undivided(run: Capture, what: Measure) -> Steps:
    """The variance of q·k: the scores are that over √d_k."""
    scores = Vector(read(run, what.of[0]))
    own = number(variance("all_sum", scores), Measure("variance", what.of))
    return (stepped("undivided", float(own) * width(run), variance=own, d_head=str(width(run))),)


# ---- its products, as if they were independent


def products(run: Capture, what: Measure) -> tuple[np.ndarray, np.ndarray]:
    """[query, dim] and [key, dim]. Raises InputError for two heads, or two attentions."""
    (query, q), (key, k) = ((of.name.rpartition(".")[0], of.index[0]) for of in what.of)
    if (query, q) != (key, k):
        raise refused(what)
    q_rows, k_rows = (array(run, of)[of.index[0]].astype(np.float64) for of in what.of)
    return q_rows, k_rows


def product_variances(run: Capture, what: Measure) -> Steps:
    """Of q_d k_d over all pairs, each dimension's: that of two that are drawn apart, E[q²] E[k²] − E[q]² E[k]²."""
    q, k = products(run, what)
    each = (q**2).mean(0) * (k**2).mean(0) - (q.mean(0) * k.mean(0)) ** 2

    def source(dim: int) -> Measure:
        return Measure("product_variance", tuple(Cell(of.name, (of.index[0], 0, dim), of.given) for of in what.of))

    return (total("product_sum", Named(each, source=source), 1),)


def product_variance(run: Capture, what: Measure) -> Steps:
    """Of one dimension, which the index says last. Raises InputError for two."""
    dims = {int(of.index[-1] or 0) for of in what.of}
    if len(dims) > 1:
        raise refused(what)
    (dim,) = dims
    steps, found = [], {}
    for name, rows, of in zip("qk", products(run, what), what.of, strict=True):
        head = Cell(of.name, (of.index[0], None, dim), of.given)
        x = Vector(rows[:, dim], head)
        added = squares(x)
        of_squares, of_all = divided("mean_of", added, n=len(x)), mean("all_sum", x)
        found |= {f"{name}_squares": of_squares.value, f"{name}_mean": of_all[-1].value}
        steps += [added, of_squares, *of_all]
    made = found["q_squares"] * found["k_squares"] - (found["q_mean"] * found["k_mean"]) ** 2
    return *steps, Step("product_variance", made, found)


# ---- the softmax, if nothing were divided


def sharp(run: Capture, what: Measure) -> Steps:
    """The largest weight of a row, in the mean over the rows; the largest power is 1."""
    (of,), rows = what.of, read(run, what.of[0]) * math.sqrt(width(run))
    best, largest = rows.argmax(-1), rows.max(-1, keepdims=True)

    def source(q: int) -> Measure:
        return Measure("sharp_weight", (of.at(q, int(best[q])),))

    return mean("habit_sum", Named(1 / np.exp(rows - largest).sum(-1), source=source))


def sharp_weight(run: Capture, what: Measure) -> Steps:
    (of,), root = what.of, math.sqrt(width(run))
    head, q, k = (int(i or 0) for i in of.index)
    row = Cell(of.name, (head, q, None), of.given)
    scores = Vector(read(run, row), row)
    whole = scores.values * root
    said = {"largest": float(whole.max()), "d_head": str(width(run))}
    added = powers("sharp_total", whole, scores, root, k, **said)
    power = math.exp(whole[k] - whole.max())
    own = number(float(scores.values[k]), of)
    share = stepped("sharp_share", power / added.value, score=own, power=power, total=added.value, **said)
    return added, share


KINDS = {
    "undivided": Kind((2,), undivided, of_scores),
    "product_variances": Kind((2, 2), product_variances, of_products),
    "product_variance": Kind((0, 0), product_variance, of_products, terms="key"),
    "sharp": Kind((2,), sharp, of_scores, terms="query"),
    "sharp_weight": Kind((0,), sharp_weight, of_scores, terms="key"),
}
