"""The decoder: what has been written so far looks at itself, then at the source."""

import torch
from torch import Tensor, nn

from .attention import MultiHeadAttention
from .config import Config
from .embedding import TransformerEmbedding
from .encoder import padding_mask
from .feedforward import feedforward
from .relative import self_attention
from .residual import EXITS, RESIDUALS
from .taps import Tap


class DecoderLayer(nn.Module):
    """Target tokens look back at one another, then at the source, then each thinks for itself."""

    def __init__(self, config: Config):
        super().__init__()
        residual = RESIDUALS[config.norm]
        self.self_attention = residual(self_attention(config, "target"), config, "target")
        self.cross_attention = residual(MultiHeadAttention(config, "target"), config, "target")
        self.feedforward = residual(feedforward(config, "target"), config, "target")
        self.output = Tap("target", "d_model")

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, cross_mask: Tensor) -> Tensor:
        """x [1, target, d_model] is being written; memory [1, source, d_model] is what the encoder made."""
        x = self.self_attention(x, x, mask)  # 1, target, d_model
        x = self.cross_attention(x, memory, cross_mask)  # queries from x, keys and values from the memory
        return self.output(self.feedforward(x))  # 1, target, d_model


class Decoder(nn.Module):
    """Embedding and layers of the target side (Vaswani et al. 2017, 3.1)."""

    def __init__(self, config: Config, token_table: nn.Embedding):
        super().__init__()
        self.embedding = TransformerEmbedding(config, token_table, "target")
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norm = EXITS[config.norm](config, "target")

    def forward(self, ids: Tensor, padding: Tensor, memory: Tensor, source_padding: Tensor) -> Tensor:
        """ids, padding [1, target]; memory [1, source, d_model] and its padding [1, source]."""
        mask = causal_mask(ids.shape[1]) + padding_mask(padding)  # 1, target, target
        cross_mask = padding_mask(source_padding, ids.shape[1])  # 1, target, source
        x = self.embedding(ids)  # 1, target, d_model
        for layer in self.layers:
            x = layer(x, memory, mask, cross_mask)
        return self.norm(x)  # 1, target, d_model


def causal_mask(n: int) -> Tensor:
    """[1, query, key], -inf above the diagonal: nobody may look at what comes later.

    >>> causal_mask(3)
    tensor([[[0., -inf, -inf],
             [0., 0., -inf],
             [0., 0., 0.]]])
    """
    return torch.full((1, n, n), -torch.inf).triu(1)
