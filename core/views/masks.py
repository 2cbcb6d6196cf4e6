"""One head's weights under another mask: its captured scores through the masks the models themselves use."""

from dataclasses import dataclass

import numpy as np

from .attention import AttentionView

MASKS = ("none", "padding", "causal")


@dataclass(frozen=True, eq=False)
class Masked:
    """What a mask lets through, and what softmax makes of the scores under it."""

    let: np.ndarray  # [query, key] true where one may look
    weights: np.ndarray  # [query, key]
    is_own: bool  # whether it is the mask the model itself used here
    difference: float  # the largest, from the captured weights


def masked(view: AttentionView, head: int, mask: str, pads: int = 0) -> Masked:
    """One of MASKS on the scores of a head, counted from 0.

    "padding" takes the last `pads` keys as filling; at least one key must be left. "causal" needs a square.
    Raises ValueError for anything else.
    """
    import torch

    from ..model.decoder import causal_mask
    from ..model.encoder import padding_mask

    queries, keys = view.mask.shape
    if mask not in MASKS or (mask == "causal" and queries != keys) or not 0 <= pads < keys:
        raise ValueError(f"no mask {mask} with {pads} of {keys} keys padded for {queries} queries")
    padding = torch.zeros(1, keys, dtype=torch.bool)
    if mask == "padding":
        padding[0, keys - pads :] = True
    added = causal_mask(keys) if mask == "causal" else padding_mask(padding, queries)  # 1, query, key
    weights = torch.softmax(torch.tensor(view.scores[head]) + added[0], dim=-1).numpy()  # query, key
    let = np.isfinite(added[0].numpy())
    return Masked(
        let=let,
        weights=weights,
        is_own=bool((let == np.isfinite(view.mask)).all()),
        difference=float(np.abs(weights - view.weights[head]).max()),
    )
