"""One attention of one layer: queries, keys, values, scores, weights, contexts, contributions.

An encoder has one kind; a decoder has two, which look at what is written (self) and at the source (cross).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..capture import Capture
from ..edits import Edit
from ..model.places import Place, attention_at, attentions
from ..text.token import Token
from ..zoo import Model

SQUARE = ("scores", "weights", "contribution")  # [query, key]
WIDE = ("query", "key", "value", "context")  # [token, d_head]
MODES = SQUARE + WIDE


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map as the model holds it: y = x Wᵀ + b, W [out, in]."""

    weight: np.ndarray
    bias: np.ndarray


class Sides:
    """What looks, and what is looked at: the rows and columns of every square of an attention."""

    queries: tuple[Token, ...]
    keys: tuple[Token, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The rows."""
        return tuple(token.text for token in self.queries)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(token.text for token in self.keys)

    @property
    def special(self) -> tuple[bool, ...]:
        """Of each row, whether nobody typed or wrote its token."""
        return tuple(token.special for token in self.queries)


@dataclass(frozen=True, eq=False)
class AttentionView(Sides):
    """Every head of one attention. Layers and heads count from 0 here; pages show them from 1.

    Except in cross-attention, those who ask and those who answer are the same tokens.
    """

    kind: str
    layer: int
    queries: tuple[Token, ...]
    keys: tuple[Token, ...]
    asking: np.ndarray  # [query, d_model], what the queries are made of
    answering: np.ndarray  # [key, d_model], what the keys and values are made of
    query: np.ndarray  # [head, query, d_head]
    key: np.ndarray  # [head, key, d_head]
    value: np.ndarray  # [head, key, d_head]
    mask: np.ndarray  # [query, key], 0 or -inf
    scores: np.ndarray  # [head, query, key]
    weights: np.ndarray  # [head, query, key]
    context: np.ndarray  # [head, query, d_head]
    carried: np.ndarray  # [head, key], ‖v W^O‖: how much a key brings along when it is looked at fully
    projections: dict[str, Projection]  # "query", "key", "value", "output"
    taps: Mapping[str, str] = field(default_factory=dict)  # of an array above, the tap
    edits: tuple[Edit, ...] = ()  # of the run these are from

    @property
    def heads(self) -> int:
        return self.weights.shape[0]

    @property
    def d_head(self) -> int:
        return self.query.shape[2]

    @property
    def nbytes(self) -> int:
        """What its arrays hold; one that stands in two places is counted once."""
        return sum({id(a): a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray)}.values())

    def plane(self, mode: str, head: int) -> np.ndarray:
        """One head in one mode: [query, key] for the square modes, [token, d_head] for the wide ones."""
        return self.contribution(head) if mode == "contribution" else getattr(self, mode)[head]

    def contribution(self, head: int) -> np.ndarray:
        """[query, key]: weight · ‖v W^O‖ as a share of its row (Kobayashi et al. 2020; the bias b_O is left out)."""
        brought = self.weights[head] * self.carried[head]
        return brought / brought.sum(-1, keepdims=True)

    def may_look(self, row: int) -> np.ndarray:
        """[key]: the places that the mask leaves open to a row."""
        return np.flatnonzero(self.mask[row] == 0)

    @cached_property
    def most(self) -> np.ndarray:
        """[head, query]: the key that each row looks at most."""
        return self.weights.argmax(-1)

    @cached_property
    def taken(self) -> np.ndarray:
        """[head, query]: the key that contributes most to each row."""
        return (self.weights * self.carried[:, None]).argmax(-1)


def memory(model: Model) -> str:
    """The tap of what the encoder hands to the decoder."""
    return model.reader.exit


def taps(model: Model, layer: int, kind: str | None = None) -> tuple[str, ...]:
    """The taps that `attention_view` reads, for `capture(only=...)`."""
    at = attention_at(kind or model.attentions[0], layer)
    parts = ("query", "key", "value", "scores", "mask", "weights", "context")
    return (*map(at.tap, parts), model.given(at), *([memory(model)] if kind == "cross" else []))


def attention_view(run: Capture, model: Model, layer: int, kind: str | None = None) -> AttentionView:
    """The view of one layer (from 0) of a capture that holds its `taps`: of the model's first kind where none is
    named."""
    kind = kind or model.attentions[0]
    at = attention_at(kind, layer)
    projections = layer_projections(model, layer, kind)
    value = run[at.tap("value")]
    return AttentionView(
        kind=kind,
        layer=layer,
        queries=run.side(at.tap("weights"), "query"),
        keys=run.side(at.tap("weights"), "key"),
        asking=run[model.given(at)],
        answering=run[memory(model) if kind == "cross" else model.given(at)],
        query=run[at.tap("query")],
        key=run[at.tap("key")],
        value=value,
        mask=run[at.tap("mask")],
        scores=run[at.tap("scores")],
        weights=run[at.tap("weights")],
        context=run[at.tap("context")],
        carried=carried(value, projections["output"].weight),
        projections=projections,
        taps=named(model, at),
        edits=run.edits,
    )


def named(model: Model, at: Place) -> dict[str, str]:
    """Of each array of a view, the tap it is from."""
    own = {name: at.tap(name) for name in ("query", "key", "value", "scores", "mask", "weights", "context")}
    asking = model.given(at)
    return {**own, "asking": asking, "answering": memory(model) if at.kind == "cross" else asking}


def layer_projections(model: Model, layer: int, kind: str) -> dict[str, Projection]:
    """W and b of W^Q, W^K, W^V and W^O of one layer, as arrays that share the model's memory."""
    attention = model.parts[str(attention_at(kind, layer))]
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


def clearest(run: Capture, kind: str) -> tuple[int, int]:
    """Layer and head (from 0) whose weights have the lowest mean entropy: where looking is most decided.

    `run` holds the weights of every layer of this kind.
    """
    layers = [run[place.tap("weights")] for place in attentions(run.names()) if place.kind == kind]
    entropies = np.stack([entropy(weights).mean(-1) for weights in layers])  # layer, head
    layer, head = np.unravel_index(entropies.argmin(), entropies.shape)
    return int(layer), int(head)


def entropy(weights: np.ndarray) -> np.ndarray:
    """Of each row, how undecided it is, from 0 (one key takes all) to log n. [..., key] -> [...]

    >>> entropy(np.array([[0.5, 0.5, 0, 0], [0.25, 0.25, 0.25, 0.25]])).round(3).tolist()
    [0.693, 1.386]
    """
    return -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1)
