"""Attention through layers: what each place is made of, if weights were all there is (Abnar & Zuidema 2020)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..capture import Capture
from ..model.places import attention_at, attentions
from ..text.token import Token
from ..zoo import Model

RESIDUAL = 0.5  # how much of a state rollout takes to come past the attention, unchanged


@dataclass(frozen=True, eq=False)
class RolloutView:
    """Of an encoder, layer by layer."""

    tokens: tuple[Token, ...]
    means: np.ndarray  # [layer, query, key], the weights averaged over the heads
    rolled: np.ndarray  # [layer, place, source], each row adds up to 1
    carried: np.ndarray  # [layer], the share that really comes past: ‖x‖ ÷ (‖x‖ + ‖what attention adds‖), on average

    @property
    def nbytes(self) -> int:
        return self.means.nbytes + self.rolled.nbytes + self.carried.nbytes


def rollout(means: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """[layer, query, key] averaged weights -> [layer, place, source]: Ã_l ⋯ Ã_1 with Ã = ½ A + ½ I.

    >>> rollout(np.array([[[1.0, 0], [1, 0]]]))[0].tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    rolled: list[np.ndarray] = []
    for mean in means:
        mixed = (1 - RESIDUAL) * mean + RESIDUAL * np.eye(len(mean))
        rolled.append(mixed @ rolled[-1] if rolled else mixed)
    return np.stack(rolled)


def taps(model: Model) -> tuple[str, ...]:
    """What `rollout_view` reads: of every attention of the stack that reads."""
    places = (attention_at(model.attentions[0], layer) for layer in range(model.reader.layers))
    return tuple(place.tap(word) for place in places for word in ("weights", "skip", "output"))


def rollout_view(run: Capture) -> RolloutView:
    """Of a capture that holds these taps."""
    places = [place for place in attentions(run.names()) if place.part == "attention"]
    means = np.stack([run[place.tap("weights")].mean(0, dtype=np.float64) for place in places])
    shares = []
    for place in places:
        past, added = (np.linalg.norm(run[place.tap(word)], axis=-1) for word in ("skip", "output"))
        shares.append(float((past / (past + added)).mean()))
    tokens = run.side(places[0].tap("weights"), "query")
    return RolloutView(tokens, means, rollout(means), np.array(shares))
