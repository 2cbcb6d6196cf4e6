"""Where a token stands, as a vector: BERT's learned table, or the waves of the original Transformer."""

import torch
from torch import Tensor, arange, nn

from core.model.config import Config


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
        self.register_buffer("table", waves(length, config.d_model), persistent=False)

    def forward(self, n: int) -> Tensor:
        return self.table[:n][None]  # 1, n, d_model


def waves(length: int, d_model: int) -> Tensor:
    """[length, d_model]: each pair of columns one wave, the first a wavelength of 2π, the last near 10000 · 2π."""
    column = torch.arange(d_model, dtype=torch.float64)
    pair = column - column % 2  # 0, 0, 2, 2, 4, 4 …
    angle = torch.arange(length, dtype=torch.float64)[:, None] / 10000 ** (pair / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()


POSITIONS = {"learned": LearnedPosition, "sinusoidal": SinusoidalPosition}
