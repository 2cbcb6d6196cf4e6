"""A query and a key of one head, turned by where their tokens stand: the real ones of a model with rotary positions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..capture import Capture
from ..model.places import Place
from ..model.position import per_radian
from ..zoo import Model

FAR = 64  # tokens: the longest distance that is tried


@dataclass(frozen=True, eq=False)
class Turned:
    """Pairs of dimensions (c, c + d_head/2), each a point of a plane (Su et al. 2021, 3.2)."""

    query: np.ndarray  # [2, pair, 2]: as it is made, and turned by its position
    key: np.ndarray  # the same of the key
    angles: np.ndarray  # [2, pair] radians, by which query and key are turned
    brings: np.ndarray  # [pair] what each adds to the score, which is their sum
    by_distance: np.ndarray  # [FAR + 1] the score of this very query and key, were the key so many tokens before

    @property
    def score(self) -> float:
        """Query times key, divided by the root of d_head."""
        return float(self.brings.sum())


def attentions(model: Model) -> list[Place]:
    """Where queries and keys are turned, layer by layer."""
    return [place for place in model.reader.sublayers if place.kind]


def taps(model: Model, layer: int) -> tuple[str, ...]:
    """What `turned_view` reads, for `capture(only=...)`."""
    return tuple(attentions(model)[layer].tap(name) for name in ("query", "key"))


def turned_view(run: Capture, model: Model, layer: int, head: int, q: int, k: int, shift: int = 0) -> Turned:
    """One pair of tokens in one head (layer and head from 0), in float64; both stand `shift` positions further on than
    in the run, as if so many tokens came before."""
    of_query, of_key = (run[name].astype(np.float64) for name in taps(model, layer))
    query, key = of_query[head, q], of_key[head * len(of_key) // len(of_query), k]
    radian = per_radian(len(query), model.config.rotary_base).numpy()
    angles = np.array([[q + shift], [k + shift]]) / radian
    a, b = (np.stack([points(x), turn(points(x), by)]) for x, by in zip((query, key), angles, strict=True))
    root = np.sqrt(len(query))
    apart = turn(points(query), np.arange(FAR + 1)[:, None] / radian)
    return Turned(a, b, angles, (a[1] * b[1]).sum(-1) / root, (apart * points(key)).sum((-1, -2)) / root)


def points(x: np.ndarray) -> np.ndarray:
    """[d_head] -> [pair, 2]"""
    return np.stack(np.split(x, 2), axis=-1)


def turn(x: np.ndarray, by: np.ndarray) -> np.ndarray:
    """[pair, 2] turned by [..., pair] radians, anticlockwise -> [..., pair, 2]"""
    cos, sin = np.cos(by), np.sin(by)
    return np.stack([x[:, 0] * cos - x[:, 1] * sin, x[:, 1] * cos + x[:, 0] * sin], axis=-1)


def previous_token_head(weights: Sequence[np.ndarray]) -> tuple[int, int]:
    """Layer and head, from 0, that give the token just before most weight on average; the first where there is one
    token. `weights` is [head, query, key] of each layer."""
    before = np.diagonal(np.stack(weights), -1, 2, 3)
    if not before.shape[-1]:
        return 0, 0
    layer, head = np.unravel_index(int(before.mean(-1).argmax()), before.shape[:2])
    return int(layer), int(head)
