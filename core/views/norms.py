"""Norms of every kind, run on numbers at hand."""

from dataclasses import dataclass

import numpy as np

KINDS = ("layer", "rms", "batch", "none")


def written(epsilon: float) -> str:
    """An ε as code has it: 1e-5, not 1.000e-05."""
    return f"{epsilon:g}".replace("e-0", "e-")


@dataclass(frozen=True, eq=False)
class Normed:
    """What a norm was given and what it made of it.

    `mean` and `variance` are [token] for LayerNorm and [d_model] for BatchNorm; RMSNorm has its mean square in
    `variance` and no mean; where there is no norm, both are None. The rest is [token, d_model], float32.
    """

    kind: str
    epsilon: float
    before: np.ndarray
    mean: np.ndarray | None
    variance: np.ndarray | None
    normalized: np.ndarray
    after: np.ndarray
    factor: float = 1  # what somebody multiplied the input by
    shift: float = 0  # and then added to it

    @property
    def changed(self) -> bool:
        """Whether somebody changed what the norm was given."""
        return (self.factor, self.shift) != (1, 0)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))


def layer_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our LayerNorm, in the precision of `before` [token, d_model]."""
    import torch

    from ..model.norm import LayerNorm
    from ..model.taps import name_taps, recording

    x = torch.tensor(before)[None]
    norm = LayerNorm(len(gamma), epsilon).to(x.dtype)
    norm.load_state_dict({"gamma": torch.tensor(gamma), "beta": torch.tensor(beta)})
    name_taps(norm)
    with torch.no_grad(), recording() as tape:
        norm(x)
    mean, variance, normalized, output = (tensor.numpy() for tensor in tape.tensors.values())
    return Normed("layer", epsilon, before, mean, variance, normalized, output)


def rms_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our RMSNorm; it has no β."""
    import torch

    from ..lessons.norm import RMSNorm

    norm = RMSNorm(len(gamma), epsilon)
    norm.load_state_dict({"gamma": torch.tensor(gamma)})
    with torch.no_grad():
        normalized, output = norm(torch.tensor(before)[None])
    return Normed("rms", epsilon, before, None, np.square(before).mean(-1), normalized[0].numpy(), output[0].numpy())


def batch_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """Our BatchNorm over the tokens at hand."""
    import torch

    from ..lessons.norm import BatchNorm

    norm = BatchNorm(len(gamma), epsilon)
    norm.load_state_dict({"gamma": torch.tensor(gamma), "beta": torch.tensor(beta)})
    with torch.no_grad():
        normalized, output = norm(torch.tensor(before)[None])
    mean, variance = before.mean(0), before.var(0)
    return Normed("batch", epsilon, before, mean, variance, normalized[0].numpy(), output[0].numpy())


def no_norm(before: np.ndarray, gamma: np.ndarray, beta: np.ndarray, epsilon: float) -> Normed:
    """What comes in goes out."""
    return Normed("none", epsilon, before, None, None, before, before)


RUNS = {"layer": layer_norm, "rms": rms_norm, "batch": batch_norm, "none": no_norm}
