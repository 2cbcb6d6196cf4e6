"""As many layers as one likes, put on top of each other and run: drawn, not trained."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..capture import Capture
from ..zoo import Model
from .encoder import TINY, mean_cosine

MOST = 64  # tokens that go through


@dataclass(frozen=True, eq=False)
class Stacked:
    """A text's states on their way through a stack of this model's shape.

    Attributes:
        shape: of what enters, and of what leaves: token, d_model.
        alike: [depth] the mean cosine of two tokens, before the first layer and after each.
        layer: the parameters of one layer.
        parameters: of all of them, with a norm at the end where there is one.
        written: [depth] the same of what is written, in a stack of as many layers that reads the first; of a model that
            has no such stack, none.
        written_layer: the parameters of one layer of that stack; 0 where there is none.
        shares: of each sub-layer, such as encoder.0.attention, how long what it adds is relative to what it adds it to,
            the mean of all tokens.
    """

    shape: tuple[int, ...]
    alike: np.ndarray
    layer: int
    parameters: int
    written: np.ndarray
    written_layer: int
    shares: Mapping[str, float]


def stacked(model: Model, run: Capture, layers: int, seed: int) -> Stacked:
    """What enters the first layer of a capture, sent through so many layers with weights drawn by `seed`."""
    import torch
    from torch import nn

    from ..dice import Seeded
    from ..model.decoder import DecoderLayer, causal_mask
    from ..model.encoder import Stack
    from ..model.taps import name_taps, recording
    from ..model.transformer import draw_matrices

    entering = torch.tensor(run[model.reader.entrance][:MOST])  # token, d_model
    n, config = len(entering), replace(model.config, layers=layers)
    both, writer = nn.Module(), nn.Module()
    above = nn.ModuleList()
    with Seeded(seed):
        both.encoder = stack = Stack(config)
        draw_matrices(stack)
        if model.translates:
            both.decoder = writer
            writer.layers = above.extend(DecoderLayer(config) for _ in range(layers))
            draw_matrices(writer)
    both.eval()
    name_taps(both)
    mask = causal_mask(n) if model.objective == "next" else torch.zeros(1, n, n)
    states, written = [entering[None]], []
    with torch.no_grad(), recording(("*.skip", "*.output")) as tape:
        for layer in stack:
            states.append(layer(states[-1], mask))
        if model.translates:
            memory = stack.norm(states[-1])
            written = [torch.tensor(run["decoder.embedding.output"][None, :MOST])]
            m = written[0].shape[1]
            for layer in above:
                written.append(layer(written[-1], memory, causal_mask(m), torch.zeros(1, m, n)))
    return Stacked(
        shape=tuple(states[-1][0].shape),
        alike=np.array([mean_cosine(state[0].numpy()) for state in states]),
        layer=sum(parameter.numel() for parameter in next(iter(stack)).parameters()),
        parameters=sum(parameter.numel() for parameter in stack.parameters()),
        written=np.array([mean_cosine(state[0].numpy()) for state in written]),
        written_layer=sum(parameter.numel() for layer in above[:1] for parameter in layer.parameters()),
        shares=shares(tape.arrays),
    )


def shares(passed: Mapping[str, np.ndarray]) -> Mapping[str, float]:
    """Of each sub-layer on a tape, ‖added‖ ÷ ‖stream‖, the mean of all tokens."""

    def lengths(name: str) -> np.ndarray:
        return np.maximum(np.linalg.norm(passed[name], axis=-1), TINY)

    places = [name.removesuffix(".skip") for name in passed if name.endswith(".skip")]
    return {place: float((lengths(f"{place}.output") / lengths(f"{place}.skip")).mean()) for place in places}
