"""A solution of each practice: what learners may write into the gaps."""

import math

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    def __init__(self, longest: int, d: int) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(longest, d))

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[1] > len(self.table):
            raise ValueError(f"{x.shape[1]} positions, and only {len(self.table)} rows")
        return x + self.table[: x.shape[1]]


def sinusoids(length: int, d: int) -> Tensor:
    angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)


def wavelength(i: int, d: int) -> float:
    return 2 * math.pi * 10_000 ** (2 * i / d)


def distance(table: Tensor, a: int, b: int) -> float:
    return float((table[a] - table[b]).norm())


def random_table(length: int, d: int, seed: int) -> Tensor:
    return 0.02 * torch.randn(length, d, generator=torch.Generator().manual_seed(seed))


def normalised(self, x: Tensor) -> Tensor:
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().mean(-1, keepdim=True)
    return centred / torch.sqrt(variance + self.epsilon) * self.gamma + self.beta


def arranged(self, x: Tensor) -> Tensor:
    if self.arrangement == "post":
        return self.norm(x + self.sublayer(x))
    return x + self.sublayer(self.norm(x) if self.arrangement == "pre" else x)
