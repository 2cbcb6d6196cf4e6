"""One attention of one layer: queries, keys, values, scores, weights, contexts, contributions.

An encoder has one kind; a decoder has two, which look at what is written (self) and at the source (cross).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture
from ..edits import Edit
from ..model.places import Place, attention_at, attentions
from ..text.token import Token
from ..zoo import Model

if TYPE_CHECKING:
    from torch import nn

SQUARE = ("scores", "weights", "contribution")  # [query, key]
WIDE = ("query", "key", "value", "context")  # [token, d_head]
MODES = SQUARE + WIDE
MADE = ("query", "key", "value")
ARRAYS = ("query", "key", "value", "scores", "mask", "weights", "context")


@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map as the model holds it: y = x Wᵀ + b, W [out, in]; b is 0 where it has none."""

    weight: np.ndarray
    bias: np.ndarray

    @classmethod
    def of(cls, linear: "nn.Module") -> "Projection":
        """One that shares the model's memory."""
        held = {name: parameter.detach().numpy() for name, parameter in linear.named_parameters()}
        return cls(held["weight"], held.get("bias", np.zeros(len(held["weight"]), np.float32)))


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
    made: Mapping[str, np.ndarray]  # "query", "key", "value" as W makes them, [head or group, token, d_head]
    query: np.ndarray  # [head, query, d_head], what scores are made of: turned, where the model turns them
    key: np.ndarray  # [head, key, d_head], so is this; as each head has it, where several share one
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

    def group(self, name: str, head: int) -> int:
        """Which of the queries, keys or values that W makes a head has: where several share one, the group's."""
        return head * len(self.made[name]) // self.heads

    @property
    def turned(self) -> bool:
        """Whether queries and keys are turned by their positions before they meet."""
        return self.query is not self.made["query"]

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
    own = named(model, at)
    read = *map(at.tap, MADE), *(own[name] for name in ARRAYS), model.given(at)
    return tuple(dict.fromkeys((*read, memory(model)) if kind == "cross" else read))


def attention_view(run: Capture, model: Model, layer: int, kind: str | None = None) -> AttentionView:
    """The view of one layer (from 0) of a capture that holds its `taps`: of the model's first kind where none is
    named."""
    kind = kind or model.attentions[0]
    at = attention_at(kind, layer)
    projections, own = layer_projections(model, layer, kind), named(model, at)
    value = run[own["value"]]
    return AttentionView(
        kind=kind,
        layer=layer,
        queries=run.side(at.tap("weights"), "query"),
        keys=run.side(at.tap("weights"), "key"),
        asking=run[model.given(at)],
        answering=run[memory(model) if kind == "cross" else model.given(at)],
        made={name: run[at.tap(name)] for name in MADE},
        query=run[own["query"]],
        key=run[own["key"]],
        value=value,
        mask=run[at.tap("mask")],
        scores=run[at.tap("scores")],
        weights=run[at.tap("weights")],
        context=run[at.tap("context")],
        carried=carried(value, projections["output"].weight),
        projections=projections,
        taps=own,
        edits=run.edits,
    )


def named(model: Model, at: Place) -> dict[str, str]:
    """Of each array of a view, the tap it is from."""

    def first(*words: str) -> str:
        return next(tap for word in words if (tap := at.tap(word)) in model.tap_dims)

    own = {name: at.tap(name) for name in ("scores", "mask", "weights", "context")}
    own |= {"query": first("rotated_query", "query")}
    own |= {"key": first("shared_key", "rotated_key", "key"), "value": first("shared_value", "value")}
    asking = model.given(at)
    return {**own, "asking": asking, "answering": memory(model) if at.kind == "cross" else asking}


def layer_projections(model: Model, layer: int, kind: str) -> dict[str, Projection]:
    """W and b of W^Q, W^K, W^V and W^O of one layer, as arrays that share the model's memory."""
    attention = model.parts[str(attention_at(kind, layer))]
    return {name: Projection.of(attention.get_submodule(f"to_{name}")) for name in ("query", "key", "value", "output")}


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
