"""The same sentence, its positions told in other ways: what each adds to the scores of one head, and by distance."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture
from ..model.places import attention_at
from ..model.position import RELATIVE
from ..zoo import Model

if TYPE_CHECKING:
    from torch import nn

    from ..model.attention import MultiHeadAttention

SEED = 7  # of what is learned and has not been: tables, W^R, u and v
SPREAD = 0.02  # of these as they are drawn, as BERT's and Transformer-XL's; T5's table has d_model^-½


def taps(model: Model) -> tuple[str, str, str]:
    """The taps that `variant` reads: queries, keys and scores of the first layer."""
    first = attention_at(model.attentions[0], 0)
    return first.tap("query"), first.tap("key"), first.tap("scores")


def kinds(model: Model) -> tuple[str, ...]:
    """What there is to compare: nothing, what the model itself adds at its input, and what attention can be told."""
    return "none", model.config.position, *RELATIVE


@dataclass(frozen=True, eq=False)
class Variant:
    """One way of telling positions, on the queries and keys of the first layer.

    Attributes:
        scores: [head, query, key], scaled, before the softmax.
        plain: the same of queries and keys that know no position.
        parameters: learned numbers in one layer that only this needs; of what stands at the input, in all.
    """

    kind: str
    query: np.ndarray  # [head, query, d_head], without positions
    key: np.ndarray
    scores: np.ndarray
    plain: np.ndarray
    parameters: int
    tap: str  # of the model's own scores

    @property
    def added(self) -> np.ndarray:
        """[head, query, key]: what it adds to each score."""
        return self.scores - self.plain

    @property
    def nbytes(self) -> int:
        return self.query.nbytes + self.key.nbytes + self.scores.nbytes + self.plain.nbytes

    def by_distance(self, head: int) -> np.ndarray:
        """[2n - 1]: the mean of what is added over all pairs so far apart, j - i from 1 - n to n - 1."""
        added, n = self.added[head], self.added.shape[1]
        return np.array([np.diagonal(added, far).mean() for far in range(1 - n, n)])


def variant(model: Model, kind: str, bare: Capture, own: Capture, tokens: int) -> Variant:
    """The first `tokens` tokens of a sentence; `bare` was captured with positions set to zero, `own` as it is."""
    asked, answered, scores = taps(model)
    query, key = (np.asarray(bare[tap])[:, :tokens] for tap in (asked, answered))
    plain = np.asarray(bare[scores])[:, :tokens, :tokens]
    if kind == "none":
        return Variant(kind, query, key, plain, plain, 0, scores)
    if kind == model.config.position:
        learned = kind == "learned"
        count = model.config.positions * model.config.d_model if learned else 0
        return Variant(kind, query, key, np.asarray(own[scores])[:, :tokens, :tokens], plain, count, scores)
    return Variant(kind, query, key, scored(model, kind, query, key), plain, own_parameters(model, kind), scores)


def scored(model: Model, kind: str, query: np.ndarray, key: np.ndarray) -> np.ndarray:
    """[head, query, key]: what the module makes of these queries and keys."""
    from torch import from_numpy, no_grad

    with no_grad():
        return module(model, kind).score(from_numpy(query.copy())[None], from_numpy(key.copy())[None])[0].numpy()


@lru_cache(maxsize=16)
def module(model: Model, kind: str) -> "MultiHeadAttention":
    """One attention of the model's width that tells positions in this way; what it would have to learn is drawn."""
    from torch import Generator, nn

    from ..model.relative import self_attention

    made, drawn = self_attention(replace(model.config, position=kind)), Generator().manual_seed(SEED)
    spread = model.config.d_model**-0.5 if kind == "t5" else SPREAD
    for parameter in own(made).values():
        nn.init.normal_(parameter, std=spread, generator=drawn)
    return made.eval()


def own(made: "MultiHeadAttention") -> "Mapping[str, nn.Parameter]":
    """The parameters that plain attention does not have."""
    plain = ("to_query", "to_key", "to_value", "to_output")
    return {name: p for name, p in made.named_parameters() if not name.startswith(plain)}


def own_parameters(model: Model, kind: str) -> int:
    return sum(parameter.numel() for parameter in own(module(model, kind)).values())
