"""What the attention stage shows: one layer's queries, keys, values, scores, weights, contexts, contributions."""

from dataclasses import dataclass

import numpy as np

from core.capture import Capture
from core.zoo import Model

SQUARE = ("scores", "weights", "contribution")  # [query, key]
WIDE = ("query", "key", "value", "context")  # [token, d_head]
MODES = SQUARE + WIDE


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map as the model holds it: y = x Wᵀ + b, W [out, in]."""

    weight: np.ndarray
    bias: np.ndarray


@dataclass(frozen=True, eq=False)
class AttentionView:
    """One layer of self-attention, every head. Layers and heads count from 0 here; pages show them from 1."""

    layer: int
    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    input: np.ndarray  # [token, d_model], what the layer was given
    query: np.ndarray  # [head, query, d_head]
    key: np.ndarray  # [head, key, d_head]
    value: np.ndarray  # [head, key, d_head]
    mask: np.ndarray  # [query, key], 0 or -inf
    scores: np.ndarray  # [head, query, key]
    weights: np.ndarray  # [head, query, key]
    context: np.ndarray  # [head, query, d_head]
    carried: np.ndarray  # [head, key], ‖v W^O‖: how much a key brings along when it is looked at fully
    projections: dict[str, Projection]  # "query", "key", "value", "output"

    @property
    def heads(self) -> int:
        return self.weights.shape[0]

    @property
    def d_head(self) -> int:
        return self.query.shape[2]

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))

    def plane(self, mode: str, head: int) -> np.ndarray:
        """One head in one mode: [query, key] for the square modes, [token, d_head] for the wide ones."""
        return self.contribution(head) if mode == "contribution" else getattr(self, mode)[head]

    def contribution(self, head: int) -> np.ndarray:
        """[query, key]: weight · ‖v W^O‖ as a share of its row (Kobayashi et al. 2020; the bias b_O is left out)."""
        brought = self.weights[head] * self.carried[head]
        return brought / brought.sum(-1, keepdims=True)


def taps(layer: int) -> tuple[str, ...]:
    """The taps that `attention_view` reads, for `capture(only=...)`."""
    parts = ("query", "key", "value", "scores", "mask", "weights", "context", "skip")
    return tuple(f"encoder.{layer}.attention.{part}" for part in parts)


def attention_view(run: Capture, model: Model, layer: int) -> AttentionView:
    """The view of one layer (from 0) of a capture that holds `taps(layer)`."""
    at = f"encoder.{layer}.attention"
    projections = layer_projections(model, layer)
    value = run[f"{at}.value"]
    return AttentionView(
        layer=layer,
        tokens=tuple(token.text for token in run.tokens),
        special=tuple(token.special for token in run.tokens),
        input=run[f"{at}.skip"],
        query=run[f"{at}.query"],
        key=run[f"{at}.key"],
        value=value,
        mask=run[f"{at}.mask"],
        scores=run[f"{at}.scores"],
        weights=run[f"{at}.weights"],
        context=run[f"{at}.context"],
        carried=carried(value, projections["output"].weight),
        projections=projections,
    )


def layer_projections(model: Model, layer: int) -> dict[str, Projection]:
    """W and b of W^Q, W^K, W^V and W^O of one layer, as arrays that share the model's memory."""
    attention = model.network.get_submodule(f"encoder.{layer}.attention.sublayer")
    projections = {}
    for name in ("query", "key", "value", "output"):
        linear = attention.get_submodule(f"to_{name}")
        weight, bias = linear.get_parameter("weight"), linear.get_parameter("bias")
        projections[name] = Projection(weight.detach().numpy(), bias.detach().numpy())
    return projections


def carried(value: np.ndarray, output: np.ndarray) -> np.ndarray:
    """‖v W^O‖ for each head and key. value [head, key, d_head], output [d_model, head · d_head] -> [head, key]."""
    heads, _, d_head = value.shape
    blocks = output.reshape(output.shape[0], heads, d_head)  # d_model, head, d_head
    return np.linalg.norm(np.einsum("hkd,mhd->hkm", value, blocks), axis=-1)
