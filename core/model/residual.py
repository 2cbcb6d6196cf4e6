"""The wrapper around both parts of a layer: carry the input past them, add, normalise."""

from torch import Tensor, nn

from core.model.config import Config
from core.model.norm import LayerNorm
from core.model.taps import Tap


class PostNorm(nn.Module):
    """LayerNorm(x + sublayer(x)), the original arrangement (Vaswani et al. 2017, 3.1)."""

    def __init__(self, sublayer: nn.Module, config: Config, token: str = "token"):
        super().__init__()
        self.sublayer = sublayer
        self.dropout = nn.Dropout(config.dropout)
        self.skip = Tap(token, "d_model")
        self.residual = Tap(token, "d_model")
        self.norm = LayerNorm(config.d_model, config.epsilon, token)

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        update = self.dropout(self.sublayer(x, *more))  # 1, n, d_model
        return self.norm(self.residual(self.skip(x) + update))  # 1, n, d_model


RESIDUALS = {"post": PostNorm}
