"""As many layers as one likes, put on top of each other and run: drawn, not trained."""

from dataclasses import dataclass, replace

import numpy as np

from ..capture import Capture
from ..zoo import Model
from .encoder import mean_cosine

MOST = 64  # tokens that go through


@dataclass(frozen=True, eq=False)
class Stacked:
    """A text's states on their way through a stack of this model's shape.

    Attributes:
        shape: of what enters, and of what leaves: token, d_model.
        alike: [depth] the mean cosine of two tokens, before the first layer and after each.
        layer: the parameters of one layer.
        parameters: of all of them, with a norm at the end where there is one.
    """

    shape: tuple[int, ...]
    alike: np.ndarray
    layer: int
    parameters: int


def stacked(model: Model, run: Capture, layers: int, seed: int) -> Stacked:
    """What enters the first layer of a capture, sent through so many layers with weights drawn by `seed`."""
    import torch

    from ..model.decoder import causal_mask
    from ..model.encoder import Stack
    from ..model.transformer import draw_matrices

    entering = torch.tensor(run[model.reader.entrance][:MOST])  # token, d_model
    n = len(entering)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        stack = Stack(replace(model.config, layers=layers)).eval()
        draw_matrices(stack)
    mask = causal_mask(n) if model.objective == "next" else torch.zeros(1, n, n)
    states = [entering[None]]
    with torch.no_grad():
        for layer in stack:
            states.append(layer(states[-1], mask))
    return Stacked(
        shape=tuple(states[-1][0].shape),
        alike=np.array([mean_cosine(state[0].numpy()) for state in states]),
        layer=sum(parameter.numel() for parameter in next(iter(stack)).parameters()),
        parameters=sum(parameter.numel() for parameter in stack.parameters()),
    )
