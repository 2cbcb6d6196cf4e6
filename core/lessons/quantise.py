"""Weights in fewer bits: what rounding leaves of a model."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import torch

from ..model.taps import name_taps
from ..zoo import Model

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


def quantised(model: Model, bits: int) -> Model:
    """The same model with every matrix rounded to so many bits; norms and biases stay as they are."""
    network = deepcopy(model.network)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.from_numpy(rounded(parameter.numpy(), bits)))
    return replace(model, network=network.eval(), tap_dims=name_taps(network))
