"""Two orders of the same words, read by networks with random weights and no positions: looking both ways, and back."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SIZE = 64, 4, 2, 256  # d_model, heads, layers, d_ff


@dataclass(frozen=True, eq=False)
class Causal:
    """Of each token of the first order: how far its last vector is from that of the same token in the second, as a
    share of its length."""

    both_ways: np.ndarray  # [token]
    back: np.ndarray
    same_token: float  # the largest such share among the places of one token said over and over, looking back


def causal(first: Sequence[int], second: Sequence[int], partner: Sequence[int], seed: int) -> Causal:
    """`first` and `second` are ids, `partner` the place in `second` of each token of `first`. Nothing is trained; only
    the rows of the ids that there are are drawn."""
    import torch

    from ..dice import Seeded
    from ..model.config import Config
    from ..model.decoder import causal_mask
    from ..model.language import LanguageModel

    row = {id: i for i, id in enumerate(dict.fromkeys(first))}
    config = Config(len(row), *SIZE, positions=1, segments=0, dropout=0.0, norm="pre", position="none")
    with Seeded(seed):
        network = LanguageModel(config)

    n, there = len(first), list(partner)
    orders = [first, second, first, second, [first[-1]] * n]
    ids = torch.tensor([[row[id] for id in order] for order in orders])
    masks = torch.cat([torch.zeros(2, n, n), *[causal_mask(n)] * 3])  # [order, query, key]
    with torch.no_grad():
        read = network.decoder(network.embedding(ids), masks).numpy()  # [order, token, d_model]
    one, other, past, other_past, repeated = read
    same_token = float(share(repeated, repeated[:1]).max())
    return Causal(share(one, other[there]), share(past, other_past[there]), same_token)


def share(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """[row]: ‖a - b‖ / ‖a‖."""
    return np.linalg.norm(a - b, axis=-1) / np.linalg.norm(a, axis=-1)
