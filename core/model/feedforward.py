"""The feed-forward network: the same two matrices for every token, each token on its own."""

from functools import partial

from torch import Tensor, nn
from torch.nn import functional

from .config import Config
from .taps import Tap

ACTIVATIONS = {
    "gelu": functional.gelu,
    "gelu_new": partial(functional.gelu, approximate="tanh"),  # as GPT-2 has it
    "relu": functional.relu,
}


class FeedForward(nn.Module):
    """activation(x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, 3.3; GELU: Hendrycks & Gimpel 2016)."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.widen = nn.Linear(config.d_model, config.d_ff, config.bias)
        self.narrow = nn.Linear(config.d_ff, config.d_model, config.bias)
        self.hidden = Tap(token, "d_ff")
        self.activated = Tap(token, "d_ff")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """x [1, n, d_model] -> [1, n, d_model], each token on its own."""
        hidden = self.hidden(self.widen(x))  # 1, n, d_ff
        activated = self.activated(self.activation(hidden))  # 1, n, d_ff
        return self.output(self.narrow(activated))  # 1, n, d_model


class GatedFeedForward(nn.Module):
    """(silu(x W_gate) ⊙ x W_up) W_down: each hidden number is let through as far as its gate is open (SwiGLU: Shazeer
    2020, with silu(g) = g · sigmoid(g))."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        self.to_gate = nn.Linear(config.d_model, config.d_ff, config.bias)
        self.to_up = nn.Linear(config.d_model, config.d_ff, config.bias)
        self.narrow = nn.Linear(config.d_ff, config.d_model, config.bias)
        self.gate = Tap(token, "d_ff")
        self.activated = Tap(token, "d_ff")
        self.up = Tap(token, "d_ff")
        self.product = Tap(token, "d_ff")
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor) -> Tensor:
        """x [1, n, d_model] -> [1, n, d_model], each token on its own."""
        gate = self.gate(self.to_gate(x))  # 1, n, d_ff
        activated = self.activated(functional.silu(gate))  # 1, n, d_ff
        product = self.product(activated * self.up(self.to_up(x)))  # 1, n, d_ff
        return self.output(self.narrow(product))  # 1, n, d_model


def feedforward(config: Config, token: str = "token") -> nn.Module:
    """The feed-forward network that `Config.activation` asks for."""
    return GatedFeedForward(config, token) if config.activation == "swiglu" else FeedForward(config, token)
