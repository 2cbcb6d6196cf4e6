"""One forward pass with the tape running: a text goes in, every number the model made comes out.

torch is imported on first use: a page that only wants the table of contents must not wait for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import InputError
from core.text.token import Token
from core.text.trace import Trace
from core.zoo import Model

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class Capture:
    """Every tensor that passed a tap, as read-only float32 arrays, and the tokens they belong to.

    `run["encoder.0.attention.weights"]` is an array; `run.dims(name)` says what its axes are.
    """

    model: str
    text: str
    pair: str | None
    tokens: tuple[Token, ...]
    truncated: int  # how many tokens were cut off
    arrays: Mapping[str, np.ndarray]
    tap_dims: Mapping[str, tuple[str, ...]]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self.arrays

    def names(self) -> tuple[str, ...]:
        """Every tap that was kept, in the order the data met them."""
        return tuple(self.arrays)

    def dims(self, name: str) -> tuple[str, ...]:
        """The names of a tap's axes, for example ("head", "query", "key")."""
        return self.tap_dims[name]

    def labels(self, name: str, dim: str) -> tuple[str, ...] | None:
        """The tokens along one axis of a tap; None where the axis is not made of tokens."""
        if dim not in self.dims(name):
            raise KeyError(f"{name} has no dimension {dim}")
        return tuple(token.text for token in self.tokens) if dim in ("token", "query", "key") else None

    @property
    def nbytes(self) -> int:
        """Memory the arrays hold; a tensor that passed two taps is counted once."""
        return sum({a.__array_interface__["data"][0]: a.nbytes for a in self.arrays.values()}.values())


def capture(
    model: Model,
    text: str,
    pair: str | None = None,
    pad_to: int | None = None,
    only: tuple[str, ...] | None = None,
) -> Capture:
    """Run `text` (and `pair`, as a second segment) through `model` and keep what passes the taps.

    Too long a text is cut at the model's last position; `Capture.truncated` says by how many tokens.
    `pad_to` fills up to that many tokens. `only` is a tuple of tap-name patterns ("encoder.2.*").
    Raises InputError where `pad_to` is beyond the model's positions.
    """
    import torch

    from core.model.taps import recording

    limit = model.config.positions
    if pad_to is not None and not 1 <= pad_to <= limit:
        raise InputError("pad_to_out_of_range", pad_to=pad_to, limit=limit)
    trace = model.tokenizer.trace(text, pair, pad_to=pad_to, max_tokens=limit)
    with torch.no_grad(), recording(only) as tape:
        model.network(*network_input(trace))
    arrays = {name: tensor.numpy() for name, tensor in tape.tensors.items()}
    for array in arrays.values():
        array.flags.writeable = False
    return Capture(model.id, text, pair, trace.tokens, trace.truncated, arrays, model.tap_dims)


def network_input(trace: Trace) -> "tuple[Tensor, Tensor, Tensor]":
    """ids, segments and padding of a traced text, each [1, n]."""
    from torch import tensor

    ids = tensor([[token.id for token in trace.tokens]])
    segments = tensor([[token.segment for token in trace.tokens]])
    padding = tensor([[not real for real in trace.attention_mask]])
    return ids, segments, padding
