"""All heads of one kind of attention: what each does with a sentence, measured, so that heads can be found by sorting.

    entropy    how evenly a row spreads, of log(keys it may look at): 1 is even, 0 is one key alone
    previous   the weight on the token before the one that asks; rows without one are left out, here and below
    next       on the token after it
    self       on itself
    first      on the first token, where nobody typed it ([CLS])
    last       on the last token, where nobody typed it ([SEP], [EOS])
    same       on the same token elsewhere

Each is the mean over the rows that have such a key and may look at it. Where the keys are another text than the
queries (cross-attention), only entropy, first and last mean anything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..capture import Capture
from ..model.places import attention_at, attentions
from ..text.token import Token
from .attention import Sides

MEASURES = ("previous", "next", "self", "first", "last", "same", "entropy")
ACROSS = ("first", "last", "entropy")


@dataclass(frozen=True, eq=False)
class HeadsView(Sides):
    """Every head of one kind of attention. Layers and heads count from 0 here; pages show them from 1."""

    kind: str
    queries: tuple[Token, ...]
    keys: tuple[Token, ...]
    layers: int
    heads: int
    weights: np.ndarray | None  # [layer, head, query, key]; None where they are not kept
    measures: Mapping[str, np.ndarray]  # [layer, head]; a measure that no row has is left out
    chance: Mapping[str, float]  # the same of weights spread evenly over the keys a row may look at

    @property
    def nbytes(self) -> int:
        return 0 if self.weights is None else self.weights.nbytes

    def ranked(self, measure: str) -> list[tuple[int, int]]:
        """Layer and head of every head, the one that does it most first; of entropy, the most decided."""
        values = self.measures[measure].ravel()
        order = np.argsort(values if measure == "entropy" else -values, kind="stable")
        return [(int(i) // self.heads, int(i) % self.heads) for i in order]


def taps(kind: str) -> tuple[str, ...]:
    """What `heads_view` reads, for `capture(only=...)`."""
    place = str(attention_at(kind, 0)).replace("0", "*", 1)
    return f"{place}.weights", f"{place}.mask"


def heads_view(run: Capture, kind: str) -> HeadsView:
    """The view of a capture that holds the `taps` of this kind."""
    places = [place for place in attentions(run.names()) if place.kind == kind]
    weights = np.stack([run[place.tap("weights")] for place in places])  # layer, head, query, key
    name = places[0].tap("weights")
    queries, keys = run.side(name, "query"), run.side(name, "key")
    open_ = run[places[0].tap("mask")] == 0  # query, key
    measures = measured(weights, open_, queries, keys, across=kind == "cross")
    even = open_ / np.maximum(1, open_.sum(-1, keepdims=True))
    chance = measured(even[None, None], open_, queries, keys, across=kind == "cross")
    return HeadsView(
        kind=kind,
        queries=queries,
        keys=keys,
        layers=weights.shape[0],
        heads=weights.shape[1],
        weights=weights,
        measures=measures,
        chance={name: float(value[0, 0]) for name, value in chance.items()},
    )


def measured(
    weights: np.ndarray, open_: np.ndarray, queries: Sequence[Token], keys: Sequence[Token], across: bool = False
) -> dict[str, np.ndarray]:
    """Every measure of every head that some row of this sentence has. weights [layer, head, query, key] and
    open_ [query, key], where a row may look -> [layer, head] each.

    >>> tokens = tuple(Token("a", i, 0, 0, False, 0, 0) for i in range(2))
    >>> found = measured(np.array([[[[0.25, 0.75], [1.0, 0.0]]]]), np.ones((2, 2), bool), tokens, tokens)
    >>> {name: float(value[0, 0]) for name, value in found.items() if name != "entropy"}
    {'previous': 1.0, 'next': 0.75, 'self': 0.125, 'same': 0.875}
    """
    found = {}
    for name in ACROSS if across else MEASURES:
        if name == "entropy":
            found[name] = evenness(weights, open_)
        elif (mask := meant(name, queries, keys) & open_).any():
            rows = mask.any(-1)
            found[name] = np.einsum("lhqk,qk->lhq", weights, mask.astype(weights.dtype))[..., rows].mean(-1)
    return {name: value for name, value in found.items() if value is not None}


def meant(name: str, queries: Sequence[Token], keys: Sequence[Token]) -> np.ndarray:
    """[query, key]: the keys that a measure is about."""
    n, m = len(queries), len(keys)
    ends: dict[str, Callable[[], np.ndarray]] = {
        "previous": lambda: np.eye(n, m, -1, dtype=bool),
        "next": lambda: np.eye(n, m, 1, dtype=bool),
        "self": lambda: np.eye(n, m, dtype=bool),
        "first": lambda: column(n, m, 0, keys[0].special),
        "last": lambda: column(n, m, m - 1, m > 1 and keys[-1].special),
        "same": lambda: np.array([[q.text == k.text for k in keys] for q in queries]) & ~np.eye(n, m, dtype=bool),
    }
    return ends[name]()


def column(n: int, m: int, at: int, there: bool) -> np.ndarray:
    """[n, m]: one key of every row, if it is there."""
    mask = np.zeros((n, m), bool)
    mask[:, at] = there
    return mask


def evenness(weights: np.ndarray, open_: np.ndarray) -> np.ndarray | None:
    """[layer, head]: the mean entropy of the rows that may look at more than one key, each of its largest."""
    count = open_.sum(-1)  # query
    rows = count > 1
    if not rows.any():
        return None
    p = weights[:, :, rows]
    entropy = -(p * np.log(np.where(p > 0, p, 1))).sum(-1)
    return (entropy / np.log(count[rows])).mean(-1)


def clearest_row(weights: np.ndarray, masked: bool) -> int:
    """The row of [query, key] with the largest weight; under a causal mask of those that may look at several keys."""
    first = min(3, len(weights) - 1) if masked else 0
    return first + int(weights[first:].max(-1).argmax())
