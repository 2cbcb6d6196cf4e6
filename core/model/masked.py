"""BERT's two tasks on a small encoder (Devlin et al. 2019, 3.1): what stood at [MASK], and, at [CLS], a yes or no."""

import torch
from torch import Tensor, nn

from .config import Config
from .embedding import TransformerEmbedding
from .encoder import Stack, padding_mask
from .feedforward import ACTIVATIONS
from .norm import LayerNorm
from .transformer import draw_weights


class MaskedHead(nn.Module):
    """What BERT reads of a state to say which word stood there: one more layer, then the product with a row for each
    word, as a rule the rows of its own table (Devlin et al. 2019, 3.1, as in the code published with it)."""

    def __init__(self, config: Config, activation: str):
        super().__init__()
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.activation = ACTIVATIONS[activation]
        self.norm = LayerNorm(config.d_model, config.epsilon)
        self.words = nn.Linear(config.d_model, config.vocab)

    def forward(self, states: Tensor) -> Tensor:
        """states [..., d_model] -> logits [..., vocab]."""
        return self.words(self.norm(self.activation(self.transform(states))))


class MaskedLanguageModel(nn.Module):
    """An encoder whose every state can be compared with the rows of its own table, and whose first can be judged.

    `judge` reads the state of [CLS] alone.
    """

    def __init__(self, config: Config):
        super().__init__()
        table = nn.Embedding(config.vocab, config.d_model)
        self.embedding = TransformerEmbedding(config, table, "token")
        self.encoder = Stack(config)
        self.bias = nn.Parameter(torch.zeros(config.vocab))  # of each row of the table
        self.judge = nn.Linear(config.d_model, 2)
        draw_weights(self, self.embedding, config)

    def forward(self, ids: Tensor, padding: Tensor) -> Tensor:
        """ids [batch, n]; padding [batch, n] true where a row is filled up -> states [batch, n, d_model]."""
        return self.encoder(self.embedding(ids), padding_mask(padding))

    def words(self, states: Tensor) -> Tensor:
        """states [..., d_model] -> logits [..., vocab]: the product with each row of the table, and its bias."""
        return states @ self.embedding.token_table.weight.T + self.bias

    def verdict(self, states: Tensor) -> Tensor:
        """states [batch, n, d_model] -> logits [batch, 2], from the first token's state: in order, exchanged."""
        return self.judge(states[:, 0])
