"""The encoder: layers of self-attention and feed-forward, one on top of the other."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from .config import Config
from .embedding import BertEmbedding
from .feedforward import feedforward
from .relative import self_attention
from .residual import EXITS, RESIDUALS
from .taps import Tap


class EncoderLayer(nn.Module):
    """Tokens look at one another, then each thinks for itself."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        residual = RESIDUALS[config.norm]
        self.attention = residual(self_attention(config, token), config, token)
        self.feedforward = residual(feedforward(config, token), config, token)
        self.output = Tap(token, "d_model")

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x [1, n, d_model], mask [1, n, n] 0 or -inf -> [1, n, d_model]."""
        x = self.attention(x, x, mask)  # 1, n, d_model
        return self.output(self.feedforward(x))  # 1, n, d_model


class Stack(nn.Module):
    """Layers one on top of the other, named 0, 1, 2 …; where norms sit inside the layers, one more at the end."""

    def __init__(self, config: Config, token: str = "token"):
        super().__init__()
        self.depth = config.layers
        for i in range(config.layers):
            self.add_module(str(i), EncoderLayer(config, token))
        self.norm = EXITS[config.norm](config, token)

    def __iter__(self) -> Iterator[EncoderLayer]:
        return (self.get_submodule(str(i)) for i in range(self.depth))  # type: ignore[return-value]

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x [1, n, d_model], mask [1, n, n] 0 or -inf -> [1, n, d_model]."""
        for layer in self:
            x = layer(x, mask)
        return self.norm(x)  # 1, n, d_model


class BertEncoder(nn.Module):
    """BERT without a head (Devlin et al. 2019): ids in, one vector a token out."""

    inputs = ("ids", "segments", "padding")

    def __init__(self, config: Config):
        super().__init__()
        self.embedding = BertEmbedding(config)
        self.encoder = Stack(config)

    def forward(self, ids: Tensor, segments: Tensor, padding: Tensor) -> Tensor:
        """ids, segments [1, n] whole numbers; padding [1, n] true where a token is only filling."""
        mask = padding_mask(padding)
        return self.encoder(self.embedding(ids, segments), mask)  # 1, n, d_model


class UnsegmentedEncoder(nn.Module):
    """The same of a model that does not tell two texts apart (DistilBERT: Sanh et al. 2019)."""

    inputs = ("ids", "padding")

    def __init__(self, config: Config):
        super().__init__()
        self.embedding = BertEmbedding(config)
        self.encoder = Stack(config)

    def forward(self, ids: Tensor, padding: Tensor) -> Tensor:
        """ids [1, n] whole numbers; padding [1, n] true where a token is only filling."""
        return self.encoder(self.embedding(ids), padding_mask(padding))  # 1, n, d_model


def padding_mask(padding: Tensor, queries: int | None = None) -> Tensor:
    """[1, key] true where padded -> [1, query, key], -inf where the key is padding: nobody may look there.

    There are as many queries as keys, unless `queries` says how many: in cross-attention the other side asks.

    >>> padding_mask(torch.tensor([[False, False, True]]), queries=2)
    tensor([[[0., 0., -inf],
             [0., 0., -inf]]])
    """
    keys = padding.shape[1]
    return torch.zeros(1, queries or keys, keys).masked_fill(padding[:, None, :], -torch.inf)
