"""The logit of a word as PyTorch's own norms and products have it, of all that was written into a stream."""

import numpy as np
import torch
from torch.nn import functional


def logit(written: np.ndarray, row: np.ndarray, gamma: np.ndarray, beta: np.ndarray | None, epsilon: float) -> float:
    """Of parts [part, d_model] that are added up; `row` is that of the table, or the gap between two. Without β the
    norm is the root of the mean square's."""
    state, scale = torch.tensor(written.sum(0)), torch.tensor(gamma)
    width = tuple(state.shape)
    if beta is None:
        normed = functional.rms_norm(state, width, scale, epsilon)
    else:
        normed = functional.layer_norm(state, width, scale, torch.tensor(beta), epsilon)
    return float(normed @ torch.tensor(row))
