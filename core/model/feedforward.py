"""The feed-forward network: the same two matrices for every token, each token on its own."""

from torch import Tensor, nn
from torch.nn import functional

from .config import Config
from .taps import Tap

ACTIVATIONS = {"gelu": functional.gelu, "relu": functional.relu}


class FeedForward(nn.Module):
    """activation(x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, 3.3; GELU: Hendrycks & Gimpel 2016)."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.widen = nn.Linear(config.d_model, config.d_ff)
        self.narrow = nn.Linear(config.d_ff, config.d_model)
        self.hidden = Tap(token, "d_ff")
        self.activated = Tap(token, "d_ff")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """x [1, n, d_model] -> [1, n, d_model], each token on its own."""
        hidden = self.hidden(self.widen(x))  # 1, n, d_ff
        activated = self.activated(self.activation(hidden))  # 1, n, d_ff
        return self.output(self.narrow(activated))  # 1, n, d_model
