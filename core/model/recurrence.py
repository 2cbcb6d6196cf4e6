"""A long text read in parts, each with a memory of the part before, layer by layer: one row under a mask.

References:
    Dai et al. 2019, Transformer-XL, https://arxiv.org/abs/1901.02860, section 3.2.
"""

import torch
from torch import Tensor


def parts_apart(n: int, most: int, reach: int) -> Tensor:
    """Who may look at whom in a row of n tokens read in parts of `most` -> [1, query, key], 0 or -inf.

    With a reach of 1 a part sees itself and the part before: what each layer was given of that part is what it kept
    of it, so a memory that is carried from part to part and this mask give the same numbers. With 0 each part is alone.

    >>> parts_apart(4, 2, reach=1)
    tensor([[[0., 0., -inf, -inf],
             [0., 0., -inf, -inf],
             [0., 0., 0., 0.],
             [0., 0., 0., 0.]]])
    """
    part = torch.arange(n) // most
    back = part[:, None] - part  # query, key: how many parts back the key is
    return torch.zeros(1, n, n).masked_fill((back < 0) | (back > reach), -torch.inf)
