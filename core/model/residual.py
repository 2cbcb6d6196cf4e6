"""The wrapper around the parts of a layer: carry the input past them and add; and where the norm sits in that.

`Config.norm` chooses once: "post", "pre", "input" (one norm where the vectors enter, none in the layers), or "none".
"""

from torch import Tensor, nn

from .config import Config
from .norm import norm_of
from .taps import Tap


class PostNorm(nn.Module):
    """LayerNorm(x + sublayer(x)), the original arrangement (Vaswani et al. 2017, 3.1)."""

    def __init__(self, sublayer: nn.Module, config: Config, token: str = "token"):
        super().__init__()
        self.sublayer = sublayer
        self.dropout = nn.Dropout(config.dropout)
        self.skip = Tap(token, "d_model")
        self.residual = Tap(token, "d_model")
        self.norm = norm_of(config, token)

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """x [1, n, d_model], and what else the sub-layer reads -> [1, n, d_model]."""
        update = self.dropout(self.sublayer(x, *more))  # 1, n, d_model
        return self.norm(self.residual(self.skip(x) + update))  # 1, n, d_model


class PreNorm(nn.Module):
    """x + sublayer(LayerNorm(x)): the stream itself is never normalised (Xiong et al. 2020; GPT-2)."""

    def __init__(self, sublayer: nn.Module, config: Config, token: str = "token"):
        super().__init__()
        self.norm = norm_of(config, token)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(config.dropout)
        self.skip = Tap(token, "d_model")
        self.residual = Tap(token, "d_model")

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """x [1, n, d_model], and what else the sub-layer reads -> [1, n, d_model]."""
        normed = self.norm(x)  # 1, n, d_model
        if more and more[0] is x:  # self-attention: keys and values are made from what the queries are made from
            more = (normed, *more[1:])
        update = self.dropout(self.sublayer(normed, *more))  # 1, n, d_model
        return self.residual(self.skip(x) + update)  # 1, n, d_model


class WithoutNorm(nn.Module):
    """x + sublayer(x), and nothing that holds its size."""

    def __init__(self, sublayer: nn.Module, config: Config, token: str = "token"):
        super().__init__()
        self.sublayer = sublayer
        self.dropout = nn.Dropout(config.dropout)
        self.skip = Tap(token, "d_model")
        self.residual = Tap(token, "d_model")

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """x [1, n, d_model], and what else the sub-layer reads -> [1, n, d_model]."""
        update = self.dropout(self.sublayer(x, *more))  # 1, n, d_model
        return self.residual(self.skip(x) + update)  # 1, n, d_model


def no_norm(config: Config, token: str) -> nn.Module:
    """Nothing stands there: no parameters, no taps."""
    return nn.Identity()


def one_norm(config: Config, token: str) -> nn.Module:
    """A norm, which begins with γ = 1 and, where it has one, β = 0."""
    return norm_of(config, token)


# Around each part of a layer; where the vectors enter the first layer; after the last layer.
RESIDUALS = {"post": PostNorm, "pre": PreNorm, "input": WithoutNorm, "none": WithoutNorm}
ENTRANCES = {"post": no_norm, "pre": no_norm, "input": one_norm, "none": no_norm}
EXITS = {"post": no_norm, "pre": one_norm, "input": no_norm, "none": no_norm}
