"""The keys and values of tokens that were read before, kept: a new token asks all of them, and none is made twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import torch
from torch import Tensor

from .taps import Tap


class Cache:
    """What one writing has kept: two tensors for each attention, keys and values [1, head, key, d_head]."""

    def __init__(self) -> None:
        self.tensors: dict[Tap, Tensor] = {}

    def __len__(self) -> int:
        """How many tokens are kept."""
        return next((tensor.shape[-2] for tensor in self.tensors.values()), 0)

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for tensor in self.tensors.values())

    def extended(self, place: Tap, new: Tensor) -> Tensor:
        """What was kept at a place, and behind it what is new there; from now on, all this is kept."""
        before = self.tensors.get(place)
        self.tensors[place] = new if before is None else torch.cat([before, new], dim=-2)
        return self.tensors[place]


_cache: ContextVar[Cache | None] = ContextVar("cache", default=None)


@contextmanager
def keeping(cache: Cache) -> Iterator[None]:
    """Every pass inside this block, in this thread, is given new tokens only, and goes on from those before."""
    token = _cache.set(cache)
    try:
        yield
    finally:
        _cache.reset(token)


class Kept(Tap):
    """The tap of keys or values. While a cache is being kept, those of earlier tokens are put before the new ones."""

    def forward(self, x: Tensor) -> Tensor:
        """x [1, head, new, d_head] -> [1, head, all, d_head]."""
        cache = _cache.get()
        return super().forward(x if cache is None else cache.extended(self, x))
