"""What dividing by √d_k is for (Vaswani et al. 2017, section 3.2.1): the variance of q·k before it, what its products
would come to were they independent, and how decided the softmax would be. Of one head, where no mask hides a pair."""

import math

import numpy as np

from core.capture import Capture
from core.derivation.derive import array
from core.derivation.measures.kind import Kind, read
from core.derivation.measures.many import mean_steps, variance, variance_steps
from core.derivation.origins import Cell, Measure
from core.derivation.steps import Named, Step, Vector, with_terms
from core.errors import InputError
from core.model.places import split


def of_scores(what: Measure) -> bool:
    return split(what.of[0].name)[1] == "scores"


def of_products(what: Measure) -> bool:
    return tuple(split(of.name)[1] for of in what.of) == ("query", "key")


def width(run: Capture) -> int:
    assert run.by is not None
    return run.by.config.d_head


# ---- q·k, before it is divided


def undivided(run: Capture, what: Measure) -> float:
    """The variance of q·k: the scores are that over √d_k."""
    return variance(run, what) * width(run)


def undivided_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    scores, own = Measure("variance", what.of), variance_steps(run, what)[-1].value
    parts = {"variance": own, "d_head": str(width(run))}
    return (Step("undivided", own * width(run), parts, of={"variance": scores}),)


# ---- its products, as if they were independent


def products(run: Capture, what: Measure) -> tuple[np.ndarray, np.ndarray]:
    """[query, dim] and [key, dim], in float64. Raises InputError for two heads, or two attentions."""
    (query, q), (key, k) = ((of.name.rpartition(".")[0], of.index[0]) for of in what.of)
    if (query, q) != (key, k):
        raise InputError("not_a_cell", text=str(what)[:80])
    q_rows, k_rows = (array(run, of)[of.index[0]].astype(np.float64) for of in what.of)
    return q_rows, k_rows


def variances(run: Capture, what: Measure) -> np.ndarray:
    """[dim] of q_d k_d over all pairs: that of two that are drawn apart, E[q²] E[k²] − E[q]² E[k]²."""
    q, k = products(run, what)
    return (q**2).mean(0) * (k**2).mean(0) - (q.mean(0) * k.mean(0)) ** 2


def of_dim(what: Measure, dim: int) -> Measure:
    return Measure("product_variance", tuple(Cell(of.name, (of.index[0], 0, dim), of.given) for of in what.of))


def product_variances(run: Capture, what: Measure) -> float:
    return float(variances(run, what).sum())


def product_variances_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    each = Named(variances(run, what), source=lambda dim: of_dim(what, dim))
    total = float(each.values.sum())
    return (with_terms(Step("product_sum", total), each.values, each, Vector(np.ones(len(each)))),)


def product_variance(run: Capture, what: Measure) -> float:
    """Of one dimension, which the index says last."""
    return float(variances(run, what)[dim_of(what)])


def dim_of(what: Measure) -> int:
    one, other = (int(of.index[-1] or 0) for of in what.of)
    if one != other:
        raise InputError("not_a_cell", text=str(what)[:80])
    return one


def product_variance_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    q, k = (column(rows[:, dim_of(what)], of) for rows, of in zip(products(run, what), what.of, strict=True))
    steps, found = [], {}
    for name, x in (("q", q), ("k", k)):
        squares = with_terms(Step("all_squares", float(x.values @ x.values)), x.values**2, x, x)
        added, middle = mean_steps("all_sum", x)
        found |= {f"{name}_squares": squares.value / len(x), f"{name}_mean": middle.value}
        steps += [squares, Step("mean_of", squares.value / len(x), {"sum": squares.value, "n": str(len(x))})]
        steps += [added, middle]
    made = found["q_squares"] * found["k_squares"] - (found["q_mean"] * found["k_mean"]) ** 2
    return *steps, Step("product_variance", made, found)


def column(values: np.ndarray, of) -> Named:
    """One dimension of all tokens of a head."""
    head, _, dim = of.index
    return Named(values, source=lambda token: Cell(of.name, (head, token, dim), of.given))


# ---- the softmax, if nothing were divided


def powers(run: Capture, what: Measure, rows: np.ndarray) -> np.ndarray:
    """e^(q·k − the largest of the row), of rows of scores in float64."""
    whole = rows * math.sqrt(width(run))
    return np.exp(whole - whole.max(-1, keepdims=True))


def sharp(run: Capture, what: Measure) -> float:
    """The largest weight of a row, in the mean over the rows; the largest power is 1."""
    return float((1 / powers(run, what, read(run, what.of[0]).astype(np.float64)).sum(-1)).mean())


def sharp_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of,) = what.of
    rows = read(run, of).astype(np.float64)
    best = rows.argmax(-1)

    def source(q: int) -> Measure:
        return Measure("sharp_weight", (Cell(of.name, (of.index[0], q, int(best[q])), of.given),))

    return mean_steps("habit_sum", Named(1 / powers(run, what, rows).sum(-1), source=source))


def sharp_weight(run: Capture, what: Measure) -> float:
    head, q, k = what.of[0].index
    row = powers(run, what, array(run, what.of[0])[head, q].astype(np.float64))
    return float(row[k] / row.sum())


def sharp_weight_steps(run: Capture, what: Measure) -> tuple[Step, ...]:
    (of,) = what.of
    head, q, k = of.index
    scores = Vector(array(run, of)[head, q].astype(np.float64), Cell(of.name, (head, q, None), of.given))
    row, root = powers(run, what, scores.values), math.sqrt(width(run))
    largest, total = float(scores.values.max()) * root, float(row.sum())
    said = {"largest": largest, "d_head": str(width(run))}
    added = with_terms(Step("sharp_total", total, said), row, scores, Vector(np.full(len(row), root)), focus=k)
    parts = {"score": float(scores.values[int(k or 0)]), "power": float(row[int(k or 0)]), "total": total, **said}
    return added, Step("sharp_share", float(row[int(k or 0)]) / total, parts, of={"score": of})


KINDS = {
    "undivided": Kind((2,), undivided, undivided_steps, of_scores),
    "product_variances": Kind((2, 2), product_variances, product_variances_steps, of_products),
    "product_variance": Kind((0, 0), product_variance, product_variance_steps, of_products, terms="key"),
    "sharp": Kind((2,), sharp, sharp_steps, of_scores, terms="query"),
    "sharp_weight": Kind((0,), sharp_weight, sharp_weight_steps, of_scores, terms="key"),
}
