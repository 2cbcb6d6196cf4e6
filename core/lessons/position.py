"""What the waves of positions can do, a turn by any distance, and how their code is mostly written."""

import math

import torch
from torch import Tensor

from ..model.position import BASE, per_radian


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
