"""The lookup of an embedding table, as it is shown everywhere: ids in, their rows out."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


def look_up(ids: Sequence[Sequence[int]], vocab: int = 10_000, d_model: int = 512) -> Tensor:
    """[batch, n] ids -> [batch, n, d_model], from a table that was only drawn."""
    table = nn.Embedding(vocab, d_model)
    return table(torch.tensor(ids))
