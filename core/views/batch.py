"""Several rows read at once: sentences filled up with [PAD] to one length, and a pair with its segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..text.token import Token
from ..zoo import Model
from .vectors import cosine

if TYPE_CHECKING:
    from torch import Tensor


def read(model: Model, ids: "Tensor", segments: "Tensor", padding: "Tensor") -> np.ndarray:
    """The last states, as the reader hands them on, of rows of one length: each argument [row, token] ->
    [row, token, d_model]."""
    import torch

    with torch.no_grad():
        if model.objective == "compare":
            return model.network(ids, segments, padding).numpy()
        return model.network.read(ids, padding).numpy()  # type: ignore[operator]


def last_states(model: Model, tokens: Sequence[Token]) -> np.ndarray:
    """[token, d_model]: one row by itself, without any padding."""
    import torch

    ids, segments = ([[getattr(token, name) for token in tokens]] for name in ("id", "segment"))
    ids = torch.tensor(ids)
    return read(model, ids, torch.tensor(segments), torch.zeros_like(ids, dtype=torch.bool))[0]


@dataclass(frozen=True)
class Moved:
    """How far the vectors of a row's own tokens are from those it has alone.

    Attributes:
        difference: the largest difference of a number.
        cosine: of the vector that turned most.
        at: which of the vectors these two are.
    """

    difference: float
    cosine: float
    at: tuple[int, int]


def moved(alone: np.ndarray, now: np.ndarray) -> Moved:
    """Both [token, d_model]."""
    differences, cosines = np.abs(alone - now).max(1), cosine(alone, now)
    at = int(differences.argmax()), int(cosines.argmin())
    return Moved(float(differences[at[0]]), float(cosines[at[1]]), at)


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentences of different lengths in rows of one length.

    Attributes:
        rows: the tokens of each row, padding included.
        mask: [row, token], 1 for a token and 0 for padding.
        masked: of each row, what became of its vectors where the attention mask is used;
        unmasked: and where it is not.
    """

    rows: tuple[tuple[Token, ...], ...]
    mask: np.ndarray
    masked: tuple[Moved, ...]
    unmasked: tuple[Moved, ...]

    @property
    def nbytes(self) -> int:
        return 200 * self.mask.size

    @property
    def pads(self) -> tuple[int, ...]:
        """How much of each row is padding."""
        return tuple((self.mask == 0).sum(1).tolist())


def batch(model: Model, texts: Sequence[str], most: int) -> Batch:
    """The texts as one batch, each cut at `most` tokens, or where the model's positions end; run with its mask, without
    it, and each text alone."""
    import torch

    tokenizer, most = model.tokenizer, min(most, model.config.positions)
    alone = [tokenizer.encode(text, max_tokens=most) for text in texts]
    length = max(map(len, alone))
    traces = [tokenizer.trace(text, pad_to=length, max_tokens=most) for text in texts]
    ids = torch.tensor([[token.id for token in trace.tokens] for trace in traces])
    mask = torch.tensor([trace.attention_mask for trace in traces])
    nothing = torch.zeros_like(ids)
    states = [read(model, ids, nothing, padding) for padding in (mask == 0, nothing.bool())]
    single = [last_states(model, tokens) for tokens in alone]
    masked, unmasked = (tuple(moved(x, y[: len(x)]) for x, y in zip(single, now, strict=True)) for now in states)
    return Batch(tuple(trace.tokens for trace in traces), mask.numpy(), masked, unmasked)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two sentences in one row.

    Attributes:
        tokens: the row.
        cut: how many tokens had to go.
        apart: the length of the difference of the two rows of the segment table.
        unmarked: what becomes of the second sentence's vectors where every token says it is of the first.
        attention: [token], what each is given of the attention there is, over all layers, heads and queries.
    """

    tokens: tuple[Token, ...]
    cut: int
    apart: float
    unmarked: Moved
    attention: np.ndarray

    @property
    def nbytes(self) -> int:
        return 300 * len(self.tokens)


def pair(model: Model, first: str, second: str) -> Pair:
    """Of a model with segments: BERT's way to read a pair (Devlin et al. 2019, section 3)."""
    import torch

    from ..capture import network_input
    from ..model.taps import recording

    trace = model.tokenizer.trace(first, second, max_tokens=model.config.positions)
    ids, segments, padding = network_input(model, trace)
    with recording(("*.attention.weights",)) as tape:
        marked = read(model, ids, segments, padding)[0]
    plain = read(model, ids, torch.zeros_like(segments), padding)[0]
    received = [weights.mean((0, 1)).numpy() for weights in tape.tensors.values()]
    of_second = [i for i, token in enumerate(trace.tokens) if token.segment == 1]
    table = model.parts["embedding.segment_table"].get_parameter("weight").detach().numpy()
    return Pair(
        trace.tokens,
        trace.truncated,
        float(np.linalg.norm(table[1] - table[0])),
        moved(marked[of_second], plain[of_second]),
        np.mean(received, axis=0),
    )
