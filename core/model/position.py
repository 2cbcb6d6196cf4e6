"""Where a token stands, as a vector: BERT's learned table, or the waves of the original Transformer; or nothing, where
attention is told instead (`core.model.relative`), or nobody."""

import torch
from torch import Tensor, arange, nn

from .config import Config

BASE = 10_000.0  # Vaswani et al. 2017


class LearnedPosition(nn.Module):
    """A row of a trained table for each position (Devlin et al. 2019). Beyond its last row there is nothing."""

    def __init__(self, config: Config):
        super().__init__()
        self.table = nn.Embedding(config.positions, config.d_model)

    def forward(self, n: int) -> Tensor:
        """The first n rows: [1, n, d_model]. Raises IndexError for more than there are."""
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
        """The first n rows: [1, n, d_model]; fewer where the table has fewer."""
        return self.table[:n][None]  # 1, n, d_model


class NoPosition(nn.Module):
    """Zeros: nothing is added where the vectors enter."""

    def __init__(self, config: Config):
        super().__init__()
        self.d_model = config.d_model

    def forward(self, n: int) -> Tensor:
        """Zeros [1, n, d_model]."""
        return torch.zeros(1, n, self.d_model)


def waves(positions: Tensor, d_model: int, base: float = BASE) -> Tensor:
    """[n] -> float64 [n, d_model]: each pair of columns the sine and cosine of one clock's angle, in radians.

    With an odd d_model the last sine has no cosine beside it.

    >>> waves(arange(3), 4).shape, waves(arange(1), 4).tolist()
    (torch.Size([3, 4]), [[0.0, 1.0, 0.0, 1.0]])
    """
    angle = positions[:, None].double() / per_radian(d_model, base)  # n, pairs
    table = torch.empty(len(positions), d_model, dtype=torch.float64)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table


def per_radian(d_model: int, base: float = BASE) -> Tensor:
    """[pairs] base^(2i/d_model): how many positions one radian of clock i lasts. A whole turn lasts 2π times that."""
    return base ** (arange(0, d_model, 2, dtype=torch.float64) / d_model)


RELATIVE = ("rotary", "alibi", "shaw", "transformer_xl", "t5")  # kinds of attention that know distances
POSITIONS: dict[str, type[nn.Module]] = {
    "learned": LearnedPosition,
    "sinusoidal": SinusoidalPosition,
    **dict.fromkeys(("none", *RELATIVE), NoPosition),
}
