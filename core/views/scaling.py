"""Why scores are divided by √d_k: the variance of q·k and what softmax makes of it, on numbers drawn from N(0, 1) and
on the queries and keys of a trained head (Vaswani et al. 2017, section 3.2.1)."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from .attention import AttentionView

MOST = 128  # the widest d_k that is drawn
QUERIES, KEYS, SEED = 400, 10, 0


@dataclass(frozen=True, eq=False)
class Drawn:
    """Of each width from 1 to MOST: QUERIES queries, each with KEYS keys of its own. Every array is [MOST].

    A slope is w(1 − w) at a query's largest weight w: how much of a change of its score gets through softmax.
    """

    variance: np.ndarray  # of q·k
    scaled: np.ndarray  # of q·k ÷ √d_k
    largest: np.ndarray  # the largest weight of a query, on average, where q·k is not divided
    largest_scaled: np.ndarray
    slope: np.ndarray
    slope_scaled: np.ndarray


@cache
def drawn() -> Drawn:
    """The experiment, with the seed SEED. A narrower width is the first columns of a wider one."""
    random = np.random.default_rng(SEED)
    query, key = (random.standard_normal((QUERIES, count, MOST)) for count in (1, KEYS))
    products = np.cumsum(query * key, axis=-1)  # query, key, width
    scaled = products / np.sqrt(np.arange(1, MOST + 1))
    plain, divided = (largest(scores) for scores in (products, scaled))
    return Drawn(
        products.var((0, 1)), scaled.var((0, 1)),
        plain.mean(0), divided.mean(0),
        (plain * (1 - plain)).mean(0), (divided * (1 - divided)).mean(0),
    )  # fmt: skip


def largest(scores: np.ndarray) -> np.ndarray:
    """[query, key, …] -> [query, …]: the largest weight that softmax over the keys gives."""
    highest = scores.max(1, keepdims=True)
    return 1 / np.exp(scores - highest).sum(1)


@dataclass(frozen=True, eq=False)
class Trained:
    """The same of one head's queries and keys of one sentence: every pair that the mask lets through."""

    running: np.ndarray  # [d_head], the variance of the sum of the first 1, 2, … products
    apart: float  # what the variances of the single products add up to: q·k's, if they were independent
    query: tuple[float, float]  # mean and variance of the numbers in the queries
    key: tuple[float, float]
    largest: float
    largest_scaled: float
    pairs: int

    @property
    def variance(self) -> float:
        """Of q·k."""
        return float(self.running[-1])


def trained(view: AttentionView, head: int) -> Trained:
    """Of one head, counted from 0; in float64."""
    query, key = view.query[head].astype(np.float64), view.key[head].astype(np.float64)
    open_pairs = np.isfinite(view.mask)
    running, total = [], np.zeros(view.mask.shape)
    apart = 0.0
    for dim in range(view.d_head):  # one at a time: all products of a long text would be large
        product = np.outer(query[:, dim], key[:, dim])
        total += product
        running.append(total[open_pairs].var())
        apart += float(product[open_pairs].var())
    plain, divided = (largest(total / by + view.mask) for by in (1, math.sqrt(view.d_head)))
    return Trained(
        running=np.array(running),
        apart=apart,
        query=(float(query.mean()), float(query.var())),
        key=(float(key.mean()), float(key.var())),
        largest=float(plain.mean()),
        largest_scaled=float(divided.mean()),
        pairs=int(open_pairs.sum()),
    )
