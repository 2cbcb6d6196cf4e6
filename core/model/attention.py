"""Scaled dot-product attention with several heads: who looks at whom, and what is carried over."""

import math

import torch
from torch import Tensor, nn

from .cache import Kept
from .config import Config
from .taps import Tap


class MultiHeadAttention(nn.Module):
    """softmax(Q Kᵀ / √d_head + mask) V in every head, joined and projected by W^O (Vaswani et al. 2017, 3.2)."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        self.heads, self.d_head = config.heads, config.d_head
        self.to_query = nn.Linear(config.d_model, config.d_model, config.biased)
        self.to_key = nn.Linear(config.d_model, config.d_model, config.biased)
        self.to_value = nn.Linear(config.d_model, config.d_model, config.biased)
        self.to_output = nn.Linear(config.d_model, config.d_model, config.bias)
        self.query = Tap("head", "query", "d_head")
        self.key = Kept("head", "key", "d_head")
        self.value = Kept("head", "key", "d_head")
        self.scores = Tap("head", "query", "key")
        self.mask = Tap("query", "key")
        self.weights = Tap("head", "query", "key")
        self.context = Tap("head", "query", "d_head")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor, source: Tensor, mask: Tensor) -> Tensor:
        """x [1, query, d_model] asks; source [1, key, d_model] answers; mask [1, query, key] is 0 or -inf."""
        query = self.query(self.split(self.to_query(x)))  # 1, head, query, d_head
        key = self.key(self.split(self.to_key(source)))  # 1, head, key, d_head
        value = self.value(self.split(self.to_value(source)))  # 1, head, key, d_head
        scores = self.scores(self.score(query, key))  # 1, head, query, key
        weights = self.weights(torch.softmax(scores + self.mask(mask)[:, None], dim=-1))  # rows add up to 1
        context = self.context(self.mix(weights, value))  # 1, head, query, d_head
        return self.output(self.to_output(self.join(context)))  # 1, query, d_model

    def score(self, query: Tensor, key: Tensor) -> Tensor:
        """[1, head, query, d_head] and [1, head, key, d_head] -> [1, head, query, key]; others add what is relative."""
        return query @ key.transpose(-1, -2) / math.sqrt(self.d_head)

    def mix(self, weights: Tensor, value: Tensor) -> Tensor:
        """[1, head, query, key] and [1, head, key, d_head] -> [1, head, query, d_head]; others share values."""
        return weights @ value

    def split(self, x: Tensor) -> Tensor:
        """[1, n, d_model] -> [1, head, n, d_head]: cut after the projection, so each head read all of x.

        >>> layer = MultiHeadAttention(Config(vocab=9, d_model=6, heads=2, layers=1, d_ff=8, positions=4, segments=0))
        >>> layer.split(torch.zeros(1, 4, 6)).shape
        torch.Size([1, 2, 4, 3])
        """
        return x.unflatten(-1, (-1, self.d_head)).transpose(1, 2)

    def join(self, context: Tensor) -> Tensor:
        """[1, head, n, d_head] -> [1, n, d_model]: the heads side by side again."""
        return context.transpose(1, 2).flatten(2)
