"""Any cell of the attention stage, step by step (Vaswani et al. 2017, section 3.2)."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from core.derivation.origins import Cell, Measure, Weight
from core.derivation.rules import linear, scores
from core.derivation.steps import Derivation, Named, Step, Sum, Vector, bars, fetched, summed
from core.model.places import attention_at
from core.text.token import named
from core.views.attention import AttentionView


def derive(view: AttentionView, mode: str, head: int, row: int, column: int) -> Derivation:
    """The cell [row, column] of one head in one mode of `MODES`; all counted from 0."""
    steps = STEPS[mode](view, head, row, column)
    cell = Cell(view.taps[mode], (head, row, column)) if mode in view.taps else None
    return Derivation(tuple(steps), float(view.plane(mode, head)[row, column]), cell=cell)


def read(view: AttentionView, name: str, *index: int | None) -> Vector:
    """Numbers of one of the view's arrays, and where they are from."""
    array = getattr(view, name)
    cell = Cell(view.taps.get(name, ""), index)
    return Vector(array[cell.slices].astype(np.float64), cell if name in view.taps else None)


def score(view: AttentionView, head: int, q: int, k: int) -> list[Step]:
    """q · k, then ÷ √d_head."""
    return scores.made(read(view, "query", head, q, None), read(view, "key", head, k, None))


def weight(view: AttentionView, head: int, q: int, k: int) -> list[Step]:
    """The score, then its share of the row's Σ e^score."""
    powers, steps = row_powers(view, head, q), score(view, head, q, k)
    if view.mask[q, k] < 0:
        steps.append(Step("mask", -math.inf, {"score": steps[-1].value}))
    scores, mask = read(view, "scores", head, q, None), read(view, "mask", q, None)
    row = Sum(powers, scores, mask, names=keys(view), id="powers")
    return [*steps, share("softmax", row, k, score=steps[-1].value)]


def share(id: str, row: Sum, at: int, **parts: float) -> Step:
    """What one power has of the sum of a row, which stands in the step as one number."""
    power, total = float(row.terms[at]), float(row.terms.sum())
    drawn, focus = bars(row.terms, at)
    own = {**parts, "power": power, "total": total}
    return Step(id, power / total, own, drawn, focus=focus, sums={"total": row})


def keys(view: AttentionView) -> Callable[[int], str]:
    return partial(named, view.key_tokens)


def contribution(view: AttentionView, head: int, q: int, k: int) -> list[Step]:
    """weight · ‖v W^O‖, then its share of the row."""
    d_head = view.d_head
    block = view.projections["output"].weight[:, head * d_head : (head + 1) * d_head].astype(np.float64)
    lengths = np.linalg.norm(view.value[head].astype(np.float64) @ block.T, axis=-1)  # [key]
    powers = row_powers(view, head, q)
    row = powers / powers.sum()
    brought = row * lengths
    carried = Named(lengths, source=partial(carries, view, head) if "value" in view.taps else None)
    weights = read(view, "weights", head, q, None)
    each = Sum(brought, weights, carried, made=False, names=keys(view), id="brought_all")
    parts = {"brought": float(brought[k]), "total": float(brought.sum())}
    return [
        fetched("weight", read(view, "weights", head, q, k)),
        Step("length", float(lengths[k]), {"d_model": block.shape[0]}, at=carried.origin(k)),
        Step("brought", float(brought[k]), {"weight": float(row[k]), "length": float(lengths[k])}),
        Step("share", float(brought[k] / brought.sum()), parts, sums={"total": each}),
    ]


def carries(view: AttentionView, head: int, key: int) -> Measure:
    """How much a key brings along when it is looked at."""
    return Measure("carried", (Cell(view.taps["value"], (head, key, None)),))


def row_powers(view: AttentionView, head: int, q: int) -> np.ndarray:
    """[key] e^(score + mask) along one row, in float64, from queries and keys."""
    row = view.key[head].astype(np.float64) @ view.query[head, q].astype(np.float64) / math.sqrt(view.d_head)
    return np.exp(row + view.mask[q])


def projected(name: str):
    """The steps for an entry of a query, key or value: x · (a column of W), plus the bias."""

    def steps(view: AttentionView, head: int, token: int, dim: int) -> list[Step]:
        unit, projection = head * view.d_head + dim, view.projections[name]
        given = read(view, "asking" if name == "query" else "answering", token, None)
        column, bias = parameters(view, name, unit)
        return linear.made(given, Vector(projection.weight[unit], column), Vector(projection.bias[unit], bias))

    return steps


def parameters(view: AttentionView, name: str, unit: int) -> tuple[Weight, Weight]:
    """What the weights and the bias of one unit of a projection are called."""
    return linear.parameters(f"{attention_at(view.kind, view.layer)}.to_{name}", unit)


def context(view: AttentionView, head: int, q: int, dim: int) -> list[Step]:
    """Σ weight · value, over the keys."""
    return [summed("mixture", read(view, "weights", head, q, None), read(view, "value", head, None, dim))]


STEPS = {
    "scores": score,
    "weights": weight,
    "contribution": contribution,
    "query": projected("query"),
    "key": projected("key"),
    "value": projected("value"),
    "context": context,
}
