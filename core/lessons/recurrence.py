"""A long text read in parts by a model that keeps a memory: the states of the part before, layer by layer.

References:
    Dai et al. 2019, Transformer-XL, https://arxiv.org/abs/1901.02860, section 3.2.
"""

from collections.abc import Iterable

import torch
from torch import Tensor

from core.model.encoder import EncoderLayer


def read_with_memory(layers: Iterable[EncoderLayer], parts: Iterable[Tensor]) -> list[Tensor]:
    """The last states of each part, [1, n, d_model] as it enters the first layer -> [1, n, d_model].

    Queries come from the part itself, keys and values from what the same layer was given of the part before, too. What
    a part says so reaches one part further with every layer.
    """
    layers, read, memory = list(layers), [], None
    for x in parts:
        given = []  # what each layer was given of this part
        for i, layer in enumerate(layers):
            source = x if memory is None else torch.cat([memory[i], x], dim=1)  # 1, before + n, d_model
            given.append(x)
            nothing_hidden = x.new_zeros(1, x.shape[1], source.shape[1])
            x = layer.output(layer.feedforward(layer.attention(x, source, nothing_hidden)))  # 1, n, d_model
        memory = given
        read.append(x)
    return read
