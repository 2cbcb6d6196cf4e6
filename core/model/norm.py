"""Normalisation of each token's vector, written out so that what it divides by can be seen.

`Config.normalization` chooses once: "layer" or "rms".
"""

import torch
from torch import Tensor, nn

from .config import Config
from .taps import Tap


class LayerNorm(nn.Module):
    """Each token's vector to mean 0 and variance 1, then scaled by γ and moved by β (Ba et al. 2016).

    The variance is the biased one (divided by d, not d - 1), as in `torch.nn.LayerNorm`.
    """

    def __init__(self, d_model: int, epsilon: float, token: str = "token"):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.mean = Tap(token)
        self.variance = Tap(token)
        self.normalized = Tap(token, "d_model")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """x [1, n, d_model] -> [1, n, d_model]."""
        mean = self.mean(x.mean(-1))  # 1, n
        centred = x - mean[..., None]  # 1, n, d_model
        variance = self.variance((centred * centred).mean(-1))  # 1, n
        normalized = self.normalized(centred / torch.sqrt(variance[..., None] + self.epsilon))
        return self.output(normalized * self.gamma + self.beta)  # 1, n, d_model


class RMSNorm(nn.Module):
    """Each token's vector divided by the root of its mean square, then scaled by γ (Zhang & Sennrich 2019): no mean is
    taken off, no β added."""

    def __init__(self, d_model: int, epsilon: float, token: str = "token"):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.mean_square = Tap(token)
        self.normalized = Tap(token, "d_model")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """x [1, n, d_model] -> [1, n, d_model]."""
        mean_square = self.mean_square((x * x).mean(-1))  # 1, n
        normalized = self.normalized(x / torch.sqrt(mean_square[..., None] + self.epsilon))
        return self.output(normalized * self.gamma)  # 1, n, d_model


NORMS = {"layer": LayerNorm, "rms": RMSNorm}


def norm_of(config: Config, token: str = "token") -> nn.Module:
    """The norm that a config asks for."""
    return NORMS[config.normalization](config.d_model, config.epsilon, token)
