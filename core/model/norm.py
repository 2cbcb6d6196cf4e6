"""Layer normalisation, written out so that its mean and variance can be seen."""

import torch
from torch import Tensor, nn

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
