"""Weights in fewer bits: what rounding leaves of a model."""

import numpy as np

BLOCK = 32  # numbers that share a scale


def rounded(weights: np.ndarray, bits: int) -> np.ndarray:
    """[..., n] weights, n a multiple of `BLOCK`, each block as whole multiples of one scale, from −m to m with
    m = 2^(bits − 1) − 1; the largest number of a block is ±m times its scale (Dettmers et al. 2022, 2, by blocks).

    >>> rounded(np.array([[1.27, 0.004] + [0.0] * 30]), 8)[0, :2]
    array([1.27, 0.  ])
    """
    blocks = weights.reshape(-1, BLOCK)
    scale = np.abs(blocks).max(-1, keepdims=True) / (2 ** (bits - 1) - 1)
    whole = np.round(np.divide(blocks, scale, out=np.zeros_like(blocks), where=scale > 0))
    return (whole * scale).reshape(weights.shape)
