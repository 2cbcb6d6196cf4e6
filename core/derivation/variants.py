"""One score of one head, told positions in some way: the product of query and key, and what is added to it."""

import math

import numpy as np

from ..model.relative import ShawAttention, T5Attention, TransformerXLAttention, buckets, slopes, turn
from ..views.variants import Variant, module
from ..zoo import Model
from .origins import Cell
from .rules.scores import made, scaled
from .steps import Derivation, Step, Vector, stepped, summed


def derive_score(model: Model, of: Variant, head: int, q: int, k: int) -> Derivation:
    """Recomputed in float64 and held against what the module, or the model, gave."""
    query, key = of.query[head, q].astype(np.float64), of.key[head, k].astype(np.float64)
    captured = float(of.scores[head, q, k])
    if of.kind == "rotary":
        return Derivation((gap(q, k), *turned(query, key, q, k)), captured)
    steps = tuple(made(Vector(query), Vector(key)))
    content = steps[-1]
    if of.kind == "none":
        return Derivation(steps, captured)
    if of.kind == model.config.position:
        score = Vector(np.asarray(of.scores[head, q, k], np.float64), Cell(of.tap, (head, q, k)))
        added = stepped("variant.own", captured - content.value, score=score, content=content.value)
        return Derivation((*steps, added), float(of.added[head, q, k]))
    more = MORE[of.kind](model, head, query, key, q, k)
    parts = {"content": content.value, "added": more[-1].value}
    return Derivation(
        (*steps, gap(q, k), *more, Step("variant.total", content.value + more[-1].value, parts)), captured
    )


def gap(q: int, k: int) -> Step:
    return Step("variant.gap", k - q, {"q": q, "k": k, "gap": k - q})


def turned(query: np.ndarray, key: np.ndarray, q: int, k: int) -> tuple[Step, ...]:
    """Both turned by their own positions: each pair of dimensions by the gap, in their product."""
    from torch import from_numpy

    a, b = (turn(from_numpy(x)[None], range(at, at + 1))[0].numpy() for x, at in ((query, q), (key, k)))
    product = summed("variant.turned", a, b)
    return product, scaled(product)


def alibi(model: Model, head: int, query: np.ndarray, key: np.ndarray, q: int, k: int) -> tuple[Step, ...]:
    slope = float(slopes(model.config.heads)[head])
    facts = {"slope": slope, "far": abs(k - q)}
    return (Step("variant.alibi", -slope * abs(k - q), facts),)


def t5(model: Model, head: int, query: np.ndarray, key: np.ndarray, q: int, k: int) -> tuple[Step, ...]:
    from torch import tensor

    made = module(model, "t5")
    assert isinstance(made, T5Attention)
    bucket = int(buckets(tensor(k - q), made.BUCKETS))
    entry = float(made.table.weight.detach()[bucket, head])
    found = Step("variant.bucket", bucket, {"gap": k - q, "bucket": bucket})
    return found, Step("variant.t5", entry, {"bucket": bucket, "head": head})


def shaw(model: Model, head: int, query: np.ndarray, key: np.ndarray, q: int, k: int) -> tuple[Step, ...]:
    made = module(model, "shaw")
    assert isinstance(made, ShawAttention)
    at = max(-made.FARTHEST, min(made.FARTHEST, k - q))
    row = made.table.weight[at + made.FARTHEST].detach().double().numpy()
    product = summed("variant.shaw", query, row, at=at)
    return product, Step("variant.added", product.value / math.sqrt(len(query)), {"sum": product.value})


def transformer_xl(model: Model, head: int, query: np.ndarray, key: np.ndarray, q: int, k: int) -> tuple[Step, ...]:
    from torch import tensor

    from ..model.position import waves

    made = module(model, "transformer_xl")
    assert isinstance(made, TransformerXLAttention)
    d = len(query)
    of_head = made.to_relative.weight[head * d : head * d + d].detach().double()
    r = (of_head @ waves(tensor([q - k]), model.config.d_model)[0]).numpy()
    u, v = (x[head].detach().double().numpy() for x in (made.u, made.v))
    parts = summed("variant.query_distance", query, r), summed("variant.key", u, key), summed("variant.distance", v, r)
    total = sum(step.value for step in parts)
    return *parts, Step("variant.added", total / math.sqrt(d), {"sum": total})


MORE = {"alibi": alibi, "t5": t5, "shaw": shaw, "transformer_xl": transformer_xl}
