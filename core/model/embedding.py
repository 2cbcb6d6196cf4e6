"""What enters the first layer: table rows added up; in BERT also normalised, in the original scaled by √d."""

import math

from torch import Tensor, nn

from .config import Config
from .norm import LayerNorm
from .position import POSITIONS
from .residual import ENTRANCES
from .taps import Tap


class BertEmbedding(nn.Module):
    """token + position + segment, then LayerNorm, then dropout (Devlin et al. 2019, section 3); no segment where
    `Config.segments` is 0 (DistilBERT: Sanh et al. 2019)."""

    def __init__(self, config: Config):
        super().__init__()
        self.token_table = nn.Embedding(config.vocab, config.d_model)
        self.position_table = POSITIONS[config.position](config)
        self.segments = bool(config.segments)
        if self.segments:
            self.segment_table = nn.Embedding(config.segments, config.d_model)
        self.token = Tap("token", "d_model")
        self.position = Tap("token", "d_model")
        if self.segments:
            self.segment = Tap("token", "d_model")
        self.sum = Tap("token", "d_model")
        self.norm = LayerNorm(config.d_model, config.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        self.output = Tap("token", "d_model")

    def forward(self, ids: Tensor, segments: Tensor | None = None) -> Tensor:
        """ids, segments [1, n], whole numbers -> [1, n, d_model]. Raises IndexError beyond a table's last row."""
        token = self.token(self.token_table(ids))  # 1, n, d_model
        position = self.position(self.position_table(ids.shape[1]))  # 1, n, d_model
        if self.segments:
            token = token + self.segment(self.segment_table(segments))  # 1, n, d_model
        total = self.sum(token + position)
        return self.output(self.dropout(self.norm(total)))  # 1, n, d_model


class TransformerEmbedding(nn.Module):
    """token · √d_model + position, then dropout (Vaswani et al. 2017, 3.4 and 3.5): no segment; a norm only if asked.

    `token_table` is handed in, because both stacks and the output share one.
    """

    def __init__(self, config: Config, token_table: nn.Embedding, token: str):
        super().__init__()
        self.root = math.sqrt(config.d_model)
        self.token_table = token_table
        self.position_table = POSITIONS[config.position](config)
        self.token = Tap(token, "d_model")
        self.scaled = Tap(token, "d_model")
        self.position = Tap(token, "d_model")
        self.sum = Tap(token, "d_model")
        self.norm = ENTRANCES[config.norm](config, token)
        self.dropout = nn.Dropout(config.dropout)
        self.output = Tap(token, "d_model")

    def forward(self, ids: Tensor, before: int = 0) -> Tensor:
        """ids [1, n], whole numbers, of what stands behind so many tokens -> [1, n, d_model].

        Raises IndexError beyond the table's last row.
        """
        token = self.token(self.token_table(ids))  # 1, n, d_model
        scaled = self.scaled(token * self.root)  # 1, n, d_model
        position = self.position(self.position_table(before + ids.shape[1])[:, before:])  # 1, n, d_model
        return self.output(self.dropout(self.norm(self.sum(scaled + position))))  # 1, n, d_model


class PlainEmbedding(nn.Module):
    """The row of the table, a norm only if asked: attention is told where a token stands (Touvron et al. 2023,
    LLaMA)."""

    def __init__(self, config: Config, token_table: nn.Embedding, token: str):
        super().__init__()
        self.token_table = token_table
        self.token = Tap(token, "d_model")
        self.norm = ENTRANCES[config.norm](config, token)
        self.dropout = nn.Dropout(config.dropout)
        self.output = Tap(token, "d_model")

    def forward(self, ids: Tensor, before: int = 0) -> Tensor:
        """ids [1, n], whole numbers -> [1, n, d_model], the same wherever they stand.

        Raises IndexError beyond the table's last row.
        """
        return self.output(self.dropout(self.norm(self.token(self.token_table(ids)))))  # 1, n, d_model


class AddedEmbedding(nn.Module):
    """token + position, as the tables have them, a norm only if asked, then dropout (Radford et al. 2018, 3.1: GPT)."""

    def __init__(self, config: Config, token_table: nn.Embedding, token: str):
        super().__init__()
        self.token_table = token_table
        self.position_table = POSITIONS[config.position](config)
        self.token = Tap(token, "d_model")
        self.position = Tap(token, "d_model")
        self.sum = Tap(token, "d_model")
        self.norm = ENTRANCES[config.norm](config, token)
        self.dropout = nn.Dropout(config.dropout)
        self.output = Tap(token, "d_model")

    def forward(self, ids: Tensor, before: int = 0) -> Tensor:
        """ids [1, n], whole numbers, of what stands behind so many tokens -> [1, n, d_model].

        Raises IndexError beyond a table's last row.
        """
        token = self.token(self.token_table(ids))  # 1, n, d_model
        position = self.position(self.position_table(before + ids.shape[1])[:, before:])  # 1, n, d_model
        return self.output(self.dropout(self.norm(self.sum(token + position))))  # 1, n, d_model


EMBEDDINGS = {"scaled": TransformerEmbedding, "plain": PlainEmbedding, "added": AddedEmbedding}  # of a decoder alone
