"""Attention that is told how far apart two tokens are: nothing is added to their vectors, each head's scores know it.

`Config.position` chooses once: "rotary", "alibi", "shaw", "transformer_xl" or "t5"; for the rest it is plain attention.
A distance is j - i, of the key from the query: negative for what stands before.
"""

import math
from functools import lru_cache

import torch
from torch import Tensor, arange, nn

from .attention import MultiHeadAttention
from .cache import Kept
from .config import Config
from .position import BASE, per_radian, waves
from .taps import Tap


def distances(queries: int, keys: int) -> Tensor:
    """[query, key] j - i; where there are fewer queries than keys, they are the last."""
    return arange(keys)[None, :] - arange(keys - queries, keys)[:, None]


class RotaryAttention(MultiHeadAttention):
    """Turns query and key by their positions, pair by pair of dimensions: what is left in their product is the
    distance (Su et al. 2021, 3.2). Nothing is learned.

    Dimension c is paired with c + d_head/2, as in most code; the paper pairs neighbours. d_head must be even.
    """

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.base = config.rotary_base
        self.rotated_query = Tap("head", "query", "d_head")
        self.rotated_key = Tap("head", "key", "d_head")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        turned = self.rotated_query(self.turned(query, key.shape[-2]))  # 1, head, query, d_head
        return super().score(turned, self.rotated_key(self.turned(key, key.shape[-2])))

    def turned(self, x: Tensor, end: int) -> Tensor:
        """[1, head, n, d_head], of the last n positions before `end`, each turned by its own."""
        return turn(x, range(end - x.shape[-2], end), self.base)


class GroupedAttention(RotaryAttention):
    """Rotary attention in which the heads of a group share one key and one value (Ainslie et al. 2023): as many of
    these are made, and kept while writing, as there are groups."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.shared_by = config.heads // config.groups
        self.to_key = nn.Linear(config.d_model, config.groups * self.d_head, config.biased)
        self.to_value = nn.Linear(config.d_model, config.groups * self.d_head, config.biased)
        self.key = Kept("group", "key", "d_head")
        self.value = Kept("group", "key", "d_head")
        self.rotated_key = Tap("group", "key", "d_head")
        self.shared_key = Tap("head", "key", "d_head")
        self.shared_value = Tap("head", "key", "d_head")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        """[1, head, query, d_head] and [1, group, key, d_head] -> [1, head, query, key]."""
        turned = self.rotated_query(self.turned(query, key.shape[-2]))  # 1, head, query, d_head
        shared = self.shared(self.rotated_key(self.turned(key, key.shape[-2])))
        return MultiHeadAttention.score(self, turned, self.shared_key(shared))

    def mix(self, weights: Tensor, value: Tensor) -> Tensor:
        """[1, head, query, key] and [1, group, key, d_head] -> [1, head, query, d_head]."""
        return weights @ self.shared_value(self.shared(value))

    def shared(self, x: Tensor) -> Tensor:
        """[1, group, key, d_head] -> [1, head, key, d_head]: each group's, once for every head in it."""
        return x.repeat_interleave(self.shared_by, dim=1)


def turn(x: Tensor, positions: range, base: float = BASE) -> Tensor:
    """[..., n, d_head] each pair (c, c + d_head/2) turned by position · base^(-2c/d_head)."""
    d = x.shape[-1]
    cos, sin = (wave.to(x) for wave in clocks(positions, d, base, x.device))
    first, second = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


@lru_cache(maxsize=64)
def clocks(positions: range, d: int, base: float, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosine and sine of every pair's angle at these positions, each float64 [n, pairs]."""
    angle = arange(positions.start, positions.stop, device=device)[:, None].double() / per_radian(d, base).to(device)
    return angle.cos(), angle.sin()


class AlibiAttention(MultiHeadAttention):
    """-m · |j - i| on every score, a fixed m for each head: what is farther counts less (Press et al. 2022, 3).
    Nothing is learned."""

    slopes: Tensor

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.register_buffer("slopes", slopes(config.heads), persistent=False)
        self.bias = Tap("head", "query", "key")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        far = distances(query.shape[-2], key.shape[-2]).abs()
        bias = self.bias(-self.slopes[None, :, None, None] * far)  # 1, head, query, key
        return super().score(query, key) + bias


def slopes(heads: int) -> Tensor:
    """[head] 2^(-8/h), 2^(-16/h), …; between powers of two every other one of twice as many (the paper's code).

    >>> slopes(8).tolist()[:3]
    [0.5, 0.25, 0.125]
    """
    power = 2 ** math.floor(math.log2(heads))
    own = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    more = [2 ** (-4 * (2 * i + 1) / power) for i in range(heads - power)]
    return torch.tensor(own + more)


class ShawAttention(MultiHeadAttention):
    """A learned vector for each distance, added to the key: q · (k + a) (Shaw et al. 2018, 3.2, the keys' part).

    Distances beyond `FARTHEST` are taken for it. All heads of a layer share the vectors.
    """

    FARTHEST = 16

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.table = nn.Embedding(2 * self.FARTHEST + 1, self.d_head)
        self.relative = Tap("query", "key", "d_head")
        self.bias = Tap("head", "query", "key")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        far = distances(query.shape[-2], key.shape[-2]).clamp(-self.FARTHEST, self.FARTHEST)
        rows = self.relative(self.table(far + self.FARTHEST)[None])  # 1, query, key, d_head
        added = torch.einsum("bhqd,bqkd->bhqk", query, rows.expand(len(query), -1, -1, -1))
        return super().score(query, key) + self.bias(added / math.sqrt(self.d_head))


class TransformerXLAttention(MultiHeadAttention):
    """q·k + q·r + u·k + v·r, with r = W^R applied to the wave of i - j (Dai et al. 2019, 3.3).

    The waves are not learned; W^R, and u and v of each head, are.
    """

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.to_relative = nn.Linear(config.d_model, config.d_model, bias=False)
        self.u = nn.Parameter(torch.zeros(config.heads, self.d_head))
        self.v = nn.Parameter(torch.zeros(config.heads, self.d_head))
        self.relative = Tap("head", "query", "key", "d_head")
        self.bias = Tap("head", "query", "key")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        queries, keys = query.shape[-2], key.shape[-2]
        every = arange(1 - keys, keys)  # each distance there is, once
        wave = waves(-every, self.heads * self.d_head).to(query)
        r = self.split(self.to_relative(wave)[None])  # 1, head, distance, d_head
        r = self.relative(r[:, :, distances(queries, keys) + keys - 1])  # 1, head, query, key, d_head
        of_key = (self.u[:, None] @ key.transpose(-1, -2)).expand(-1, -1, queries, -1)  # 1, head, query, key
        of_distance = torch.einsum("bhqd,hqkd->bhqk", query + self.v[:, None], r[0])
        return super().score(query, key) + self.bias((of_key + of_distance) / math.sqrt(self.d_head))


class T5Attention(MultiHeadAttention):
    """A learned number for each head and each of 32 buckets of distance, added to the score (Raffel et al. 2020, 2.1).

    Near distances have a bucket each, farther ones share, ever more. T5 has one such table for all layers and does not
    divide by √d_head; here each layer has its own, and scores are scaled as everywhere.
    """

    BUCKETS = 32

    def __init__(self, config: Config, token: str = "token"):
        super().__init__(config, token)
        self.table = nn.Embedding(self.BUCKETS, config.heads)
        self.bias = Tap("head", "query", "key")

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        bucket = buckets(distances(query.shape[-2], key.shape[-2]), self.BUCKETS)
        return super().score(query, key) + self.bias(self.table(bucket).permute(2, 0, 1)[None])


def buckets(far: Tensor, count: int = 32, farthest: int = 128) -> Tensor:
    """The bucket of each distance j - i: half of them for what stands after; of a half, half for single distances, the
    rest by the logarithm up to `farthest`, and all beyond in the last.

    >>> buckets(torch.tensor([0, -1, 1, -200, 200])).tolist()
    [0, 1, 17, 15, 31]
    """
    half = count // 2
    exact, size = half // 2, far.abs()
    logarithm = torch.log(size.clamp(min=1).float() / exact) / math.log(farthest / exact)
    shared = exact + (logarithm * (half - exact)).long()
    return half * (far > 0) + torch.where(size < exact, size, shared.clamp(max=half - 1))


SELF_ATTENTIONS: dict[str, type[MultiHeadAttention]] = {
    "rotary": RotaryAttention,
    "alibi": AlibiAttention,
    "shaw": ShawAttention,
    "transformer_xl": TransformerXLAttention,
    "t5": T5Attention,
}


def self_attention(config: Config, token: str = "token") -> MultiHeadAttention:
    """The attention of tokens to one another that `Config.position` asks for, and `Config.groups`."""
    kind = GroupedAttention if config.groups else SELF_ATTENTIONS.get(config.position, MultiHeadAttention)
    return kind(config, token)
