"""Where a token stands, as a vector: BERT's learned table, or the waves of the original Transformer."""

import math

import torch
from torch import Tensor, arange, nn

from core.model.config import Config

BASE = 10_000.0  # Vaswani et al. 2017


class LearnedPosition(nn.Module):
    """A row of a trained table for each position (Devlin et al. 2019). Beyond its last row there is nothing."""

    def __init__(self, config: Config):
        super().__init__()
        self.table = nn.Embedding(config.positions, config.d_model)

    def forward(self, n: int) -> Tensor:
        return self.table(arange(n))[None]  # 1, n, d_model


class SinusoidalPosition(nn.Module):
    """sin(p / 10000^(2i/d)) in column 2i and its cosine in column 2i + 1 (Vaswani et al. 2017, 3.5).

    Nothing in it is trained, so it is a buffer, computed when the model is built and never saved.
    """

    table: Tensor

    def __init__(self, config: Config):
        super().__init__()
        length = max(config.positions, config.target_positions)
        self.register_buffer("table", waves(arange(length), config.d_model).float(), persistent=False)

    def forward(self, n: int) -> Tensor:
        return self.table[:n][None]  # 1, n, d_model


def waves(positions: Tensor, d_model: int, base: float = BASE) -> Tensor:
    """[n] -> float64 [n, d_model]: each pair of columns the sine and cosine of one clock's angle, in radians.

    With an odd d_model the last sine has no cosine beside it.
    """
    angle = positions[:, None].double() / per_radian(d_model, base)  # n, pairs
    table = torch.empty(len(positions), d_model, dtype=torch.float64)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table


def per_radian(d_model: int, base: float = BASE) -> Tensor:
    """[pairs] base^(2i/d_model): how many positions one radian of clock i lasts. A whole turn lasts 2π times that."""
    return base ** (arange(0, d_model, 2, dtype=torch.float64) / d_model)


def rotation(by: float, d_model: int, base: float = BASE) -> Tensor:
    """R_by, float64 [pairs, 2, 2]: turns the (sin, cos) of any position into those of the position `by` further on."""
    angle = by / per_radian(d_model, base)
    cos, sin = angle.cos(), angle.sin()
    return torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)


def turned(encoded: Tensor, turn: Tensor) -> Tensor:
    """A position's vector [d_model] through `rotation`, pair by pair. The lone sine of an odd d_model is left out."""
    pairs = encoded[: len(encoded) // 2 * 2].reshape(-1, 2, 1)  # pairs, 2, 1
    return (turn[: len(pairs)] @ pairs).flatten()


def waves_by_logarithm(length: int, d_model: int) -> Tensor:
    """The same as it is mostly written: in float32, with 10000^(-2i/d) as exp(2i · -ln(10000)/d).

    Raises RuntimeError for an odd d_model from 3 on: there are more cosines than columns for them.
    """
    position = torch.arange(length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


POSITIONS = {"learned": LearnedPosition, "sinusoidal": SinusoidalPosition}
