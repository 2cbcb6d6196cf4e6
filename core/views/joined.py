"""How heads are cut from one projection, and how they come together again (Vaswani et al. 2017, 3.2.2).

The projection reads all of x and is cut after it. Side by side the heads go through W^O, which is a sum: each head
through its own rows of W^O, and the bias once.
"""

from dataclasses import dataclass

import numpy as np

from .attention import AttentionView


@dataclass(frozen=True, eq=False)
class Cut:
    """One token's query in one head, [d_head] each, in float64."""

    after: np.ndarray  # projected whole, then cut: what the model does
    own: np.ndarray  # through the head's own W_i^Q, which reads all of x: the same
    before: np.ndarray  # x cut first, so that the head reads only its part: another number
    captured: np.ndarray


def cut(view: AttentionView, head: int, token: int) -> Cut:
    """The three ways for one token; head and token from 0."""
    x = view.asking[token].astype(np.float64)
    projection = view.projections["query"]
    weight, bias = projection.weight.astype(np.float64), projection.bias.astype(np.float64)
    part = slice(head * view.d_head, (head + 1) * view.d_head)
    return Cut(
        after=(weight @ x + bias)[part],
        own=weight[part] @ x + bias[part],
        before=weight[part, part] @ x[part] + bias[part],
        captured=view.made["query"][head, token],
    )


@dataclass(frozen=True, eq=False)
class Joined:
    """What the heads of one attention write at one token."""

    heads: np.ndarray  # [head, d_model]: each head's context through its part of W^O
    bias: np.ndarray  # [d_model]
    output: np.ndarray  # [d_model], captured

    @property
    def difference(self) -> float:
        """The largest of any dimension, between heads and bias added up and what was captured."""
        return float(np.abs(self.heads.sum(0) + self.bias - self.output).max())

    @property
    def lengths(self) -> np.ndarray:
        """[head]: how long what each wrote is."""
        return np.linalg.norm(self.heads, axis=-1)

    @property
    def shares(self) -> np.ndarray:
        """[head + 1]: how much of the output each head, and last the bias, is: c · o ÷ o · o. They add up to 1; one
        that points against the sum is negative."""
        total = self.heads.sum(0) + self.bias
        return np.append(self.heads, self.bias[None], axis=0) @ total / (total @ total)


def joined(view: AttentionView, output: np.ndarray, token: int) -> Joined:
    """`output` [token, d_model] is what the attention wrote; token from 0."""
    projection = view.projections["output"]
    blocks = projection.weight.astype(np.float64).reshape(-1, view.heads, view.d_head)  # d_model, head, d_head
    written = np.einsum("hd,mhd->hm", view.context[:, token].astype(np.float64), blocks)
    return Joined(written, projection.bias.astype(np.float64), output[token].astype(np.float64))


@dataclass(frozen=True, eq=False)
class Single:
    """The best that one head as wide as all of them could do at one token: a single row of weights."""

    weights: np.ndarray  # [key], none negative, 1 together
    error: float  # ‖Σ w v − the heads' contexts side by side‖, as a share of the latter's norm
    gap: float  # by how much, at most, the squared error could still fall, as a share of the squared norm


def single(view: AttentionView, token: int, rounds: int = 4000) -> Single:
    """One row of weights for the values of all heads, closest to what the heads make with a row each: least squares
    over the simplex, by accelerated projected gradients (Beck & Teboulle 2009)."""
    keys = view.may_look(token)
    values = view.value[:, keys].astype(np.float64)  # head, key, d_head
    wanted = np.einsum("hk,hkd->hd", view.weights[:, token, keys].astype(np.float64), values).ravel()
    size = max(float(wanted @ wanted), 1e-30)
    rows = values.transpose(1, 0, 2).reshape(len(keys), -1)
    gram, reached = rows @ rows.T, rows @ wanted
    step = 1 / max(float(np.linalg.eigvalsh(gram)[-1]), 1e-30)
    weights = ahead = np.full(len(keys), 1 / len(keys))
    momentum = 1.0
    for _ in range(rounds):
        before, weights = weights, onto_simplex(ahead - step * (gram @ ahead - reached))
        grown = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead, momentum = weights + (momentum - 1) / grown * (weights - before), grown
    slope = gram @ weights - reached
    found = np.zeros(len(view.keys))
    found[keys] = weights
    error = float(np.linalg.norm(rows.T @ weights - wanted)) / np.sqrt(size)
    return Single(found, error, gap=2 * float(weights @ slope - slope.min()) / size)


def onto_simplex(x: np.ndarray) -> np.ndarray:
    """The nearest point with no negative number and a sum of 1 (Duchi et al. 2008).

    >>> onto_simplex(np.array([0.5, 2.0, -1.0])).tolist()
    [0.0, 1.0, 0.0]
    """
    falling = np.sort(x)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(x) + 1)
    return np.maximum(x - excess[falling > excess][-1], 0)
