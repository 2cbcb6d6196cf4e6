"""The original Transformer: an encoder reads, a decoder writes, and one matrix stands at all three doors."""

import torch
from torch import Tensor, nn

from .config import Config
from .decoder import Decoder
from .embedding import TransformerEmbedding
from .encoder import Stack, padding_mask
from .taps import Tap


class Output(nn.Module):
    """Each target vector against every row of the embedding table: logits = h Eᵀ (Vaswani et al. 2017, 3.4). Where
    `Config.tied` says no, the rows are a matrix of their own."""

    def __init__(self, config: Config, token_table: nn.Embedding, token: str = "target"):
        super().__init__()
        self.project = nn.Linear(config.d_model, config.vocab, bias=False)  # weight [vocab, d_model], as the table is
        if config.tied:
            self.project.weight = token_table.weight
        self.logits = Tap(token, "vocab")
        self.probabilities = Tap(token, "vocab")

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """x [1, n, d_model] -> logits and probabilities, each [1, n, vocab]."""
        logits = self.logits(self.project(x))
        return logits, self.probabilities(torch.softmax(logits, dim=-1))


def draw_weights(network: nn.Module, embedding: TransformerEmbedding, config: Config) -> None:
    """Draw a network's first weights; the table so small that · √d_model gives it variance 1."""
    draw_matrices(network)
    nn.init.normal_(embedding.token_table.weight, std=config.d_model**-0.5)


def draw_matrices(network: nn.Module) -> None:
    """Draw matrices by Glorot; biases are 0."""
    for name, parameter in network.named_parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        elif name.endswith("bias"):
            nn.init.zeros_(parameter)


class Transformer(nn.Module):
    """Encoder and decoder of "Attention Is All You Need" (Vaswani et al. 2017)."""

    inputs = ("ids", "padding", "target", "target_padding")

    def __init__(self, config: Config):
        super().__init__()
        token_table = nn.Embedding(config.vocab, config.d_model)
        self.embedding = TransformerEmbedding(config, token_table, "source")
        self.encoder = Stack(config, "source")
        self.decoder = Decoder(config, token_table)
        self.output = Output(config, token_table)
        draw_weights(self, self.embedding, config)

    def forward(self, source: Tensor, source_padding: Tensor, target: Tensor, target_padding: Tensor):
        """Ids of source and target [1, n] and, for each, true where it is only filling; -> logits, probabilities."""
        memory = self.read(source, source_padding)  # 1, source, d_model
        return self.write(target, target_padding, memory, source_padding)

    def read(self, source: Tensor, source_padding: Tensor) -> Tensor:
        """The encoder: one vector a source token [1, source, d_model]. Done once, however long the translation."""
        return self.encoder(self.embedding(source), padding_mask(source_padding))

    def write(
        self, target: Tensor, target_padding: Tensor, memory: Tensor, source_padding: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The decoder and the output: for each target token, what comes next: logits, probabilities."""
        return self.output(self.decoder(target, target_padding, memory, source_padding))
