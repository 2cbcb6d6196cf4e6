"""The input part of a Transformer, whole, in one file to take away: ids in, what the first layer reads out.

`TransformerInput` is that of the original, `BertInput` that of BERT and MiniLM; `padding_mask` goes with either.

It needs torch and nothing else. Run it: python transformer_input.py
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn


def sinusoids(length: int, d_model: int) -> Tensor:
    """[length, d_model]: sin(p / 10000^(2i/d)) in column 2i, its cosine in column 2i + 1; an odd d ends on a sine."""
    column = torch.arange(d_model)
    angle = torch.arange(length)[:, None] / 10000 ** ((column - column % 2) / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


class TransformerInput(nn.Module):
    """Dropout(token · √d + position) (Vaswani et al. 2017, 3.4, 3.5 and 5.4).

    The table is made once, here, so that every call reads the same rows
    and training can change them.
    """

    positions: Tensor

    def __init__(self, vocab: int, d_model: int, longest: int = 512, dropout: float = 0.1):
        super().__init__()
        self.root = math.sqrt(d_model)
        self.token_table = nn.Embedding(vocab, d_model)
        nn.init.normal_(self.token_table.weight, std=1 / self.root)  # so that · √d gives each number variance 1
        self.register_buffer("positions", sinusoids(longest, d_model), persistent=False)  # never trained, never saved
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor) -> Tensor:
        """ids [batch, n], whole numbers -> [batch, n, d_model]."""
        token = self.token_table(ids) * self.root  # batch, n, d_model
        position = self.positions[: ids.shape[1]]  # n, d_model
        return self.dropout(token + position)  # batch, n, d_model


class BertInput(nn.Module):
    """Dropout(LayerNorm(token + position + segment)) (Devlin et al. 2019, section 3): positions are learned, no √d.

    `segments` says of each token which of two texts it belongs to; a single text is all 0.
    """

    def __init__(self, vocab: int, d_model: int, longest: int = 512, segments: int = 2, dropout: float = 0.1):
        super().__init__()
        self.token_table = nn.Embedding(vocab, d_model)
        self.position_table = nn.Embedding(longest, d_model)
        self.segment_table = nn.Embedding(segments, d_model)
        for table in (self.token_table, self.position_table, self.segment_table):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Tensor, segments: Tensor) -> Tensor:
        """ids, segments [batch, n], whole numbers -> [batch, n, d_model]."""
        token = self.token_table(ids)  # batch, n, d_model
        position = self.position_table(torch.arange(ids.shape[1]))  # n, d_model
        segment = self.segment_table(segments)  # batch, n, d_model
        return self.dropout(self.norm(token + position + segment))  # batch, n, d_model


def padding_mask(ids: Tensor, pad: int = 0) -> Tensor:
    """bool [batch, 1, 1, n]: False where a row was filled up with `pad`. One mask for every head and query.

    The attention does scores.masked_fill(~mask, -inf), and no token looks at filler.
    """
    return (ids != pad)[:, None, None, :]


class PositionalEncoding(nn.Module):
    """As published in some lecture notes; an odd d_model does not fit into its last line but one."""

    pe: Tensor

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


def transformer_input(input_ids, vocab_size, d_model):
    """As published in the same notes.

    The table is made inside: each call draws new weights, and
    none is ever trained.
    """
    token_embedding = nn.Embedding(vocab_size, d_model)
    pos_encoder = PositionalEncoding(d_model)
    embedded = token_embedding(input_ids)
    encoded = pos_encoder(embedded)
    return encoded


def steps(
    batch: int = 32, n: int = 5, d_model: int = 768, vocab: int = 1000, heads: int = 12, seed: int = 0
) -> Iterator[Tensor]:
    """From ids to the first layer's heads, one tensor after the other. The numbers are drawn: only shapes matter.

    Raises RuntimeError at the last step where d_model does not divide into so many heads.
    """
    draw = torch.Generator().manual_seed(seed)
    ids = torch.randint(vocab, (batch, n), generator=draw)
    yield ids

    table = torch.randn(vocab, d_model, generator=draw) / math.sqrt(d_model)
    yield table

    token = table[ids]
    yield token

    scaled = token * math.sqrt(d_model)
    yield scaled

    position = sinusoids(n, d_model)
    yield position

    total = scaled + position
    yield total

    norm = nn.LayerNorm(d_model)
    normed = norm(total).detach()
    yield normed

    dropout = nn.Dropout(0.1).eval()
    output = dropout(normed)
    yield output

    split = output.view(batch, n, heads, d_model // heads).transpose(1, 2)
    yield split


if __name__ == "__main__":
    for tensor in steps():
        print(tuple(tensor.shape), tensor.dtype)
    batch = torch.tensor([[1, 5, 23, 9, 2], [1, 7, 2, 0, 0]])  # the second text is shorter: filled up with 0
    print("BERT's, two texts:   ", tuple(BertInput(vocab=30, d_model=8)(batch, torch.zeros_like(batch)).shape))
    print("where to look:       ", padding_mask(batch)[:, 0, 0].int().tolist())
    row = torch.tensor([[1, 5, 23, 9, 0]])
    module = TransformerInput(vocab=30, d_model=8).eval()
    print("the module, twice:    equal", torch.equal(module(row), module(row)))
    print("the function, twice:  equal", torch.equal(transformer_input(row, 30, 8), transformer_input(row, 30, 8)))
