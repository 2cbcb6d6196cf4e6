"""What the overview shows: the vectors at every depth, each layer's mean attention, two tokens compared."""

from dataclasses import dataclass

import numpy as np

from core.capture import Capture

ENTRANCE = {"row": "embedding.token", "sum": "embedding.sum", "enter": "embedding.output"}


@dataclass(frozen=True, eq=False)
class Depth:
    """One column of the picture: the state of every token at one depth."""

    id: str  # "row", "sum", "enter", "layer"
    number: int  # of the layer, from 1; 0 before the first
    tap: str
    states: np.ndarray  # [token, d_model]


@dataclass(frozen=True, eq=False)
class OverviewView:
    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    ids: tuple[int, ...]
    depths: tuple[Depth, ...]
    attention: np.ndarray  # [layer, query, key], the mean over the layer's heads

    @property
    def nbytes(self) -> int:
        return self.attention.nbytes + sum(depth.states.nbytes for depth in self.depths)

    def cosines(self, a: int, b: int) -> np.ndarray:
        """[depth] how alike the states of two tokens are at every depth: 1 in the same direction, 0 at right angles."""
        pairs = [(depth.states[a], depth.states[b]) for depth in self.depths]
        return np.array([x @ y / (np.linalg.norm(x) * np.linalg.norm(y)) for x, y in pairs])

    def pair(self) -> tuple[int, int]:
        """Two tokens to open on: the last repeated word and its twin before it, else the first two words."""
        words = [i for i, special in enumerate(self.special) if not special and self.tokens[i][0].isalnum()]
        for b in reversed(words):
            twins = [a for a in words if a < b and self.ids[a] == self.ids[b]]
            if twins:
                return twins[-1], b
        first = [*words, *(i for i in range(len(self.tokens)) if i not in words)]
        return first[0], first[1]


def taps(layers: int) -> tuple[str, ...]:
    """The taps that `overview_view` reads."""
    return (
        *ENTRANCE.values(),
        *(f"encoder.{i}.{part}" for i in range(layers) for part in ("output", "attention.weights")),
    )


def overview_view(run: Capture, layers: int) -> OverviewView:
    """The view of a capture that holds `taps(layers)`."""
    entrance = [Depth(id, 0, tap, run[tap]) for id, tap in ENTRANCE.items()]
    stack = [Depth("layer", i + 1, f"encoder.{i}.output", run[f"encoder.{i}.output"]) for i in range(layers)]
    return OverviewView(
        tokens=tuple(token.text for token in run.tokens),
        special=tuple(token.special for token in run.tokens),
        ids=tuple(token.id for token in run.tokens),
        depths=(*entrance, *stack),
        attention=np.stack([run[f"encoder.{i}.attention.weights"].mean(0) for i in range(layers)]),
    )


def strangers(table: np.ndarray, pairs: int = 2000, seed: int = 0) -> tuple[float, float]:
    """Mean and standard deviation of the cosine of random rows of a table [vocab, d_model], drawn with a seed."""
    chosen = np.random.default_rng(seed).integers(0, len(table), (2, pairs))
    rows = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = (rows[chosen[0]] * rows[chosen[1]]).sum(1)
    return float(cosines.mean()), float(cosines.std())
