"""What is used in the place of LayerNorm, over vectors that one was given."""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    """Divided by the root of the mean square, scaled by γ; no mean taken off, no β added (Zhang & Sennrich 2019)."""

    def __init__(self, d_model: int, epsilon: float):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """x [1, n, d_model] -> normalised, and the output."""
        normalized = x / torch.sqrt((x * x).mean(-1, keepdim=True) + self.epsilon)
        return normalized, normalized * self.gamma  # 1, n, d_model


class BatchNorm(nn.Module):
    """Each dimension to mean 0 and variance 1 over all tokens at hand (Ioffe & Szegedy 2015, as in training).

    So a token's output depends on which tokens stand beside it.
    """

    def __init__(self, d_model: int, epsilon: float):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """x [1, n, d_model] -> normalised, and the output."""
        centred = x - x.mean((0, 1))  # over the tokens, not over the dimensions
        variance = (centred * centred).mean((0, 1))  # d_model
        normalized = centred / torch.sqrt(variance + self.epsilon)
        return normalized, normalized * self.gamma + self.beta  # 1, n, d_model
