"""What the overview shows: the vectors at every depth, each layer's mean attention, two tokens compared.

Of an encoder-decoder both stacks stand side by side: the same depth of source and target is one column.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..capture import Capture
from ..model import places
from ..model.places import Place, split
from ..text.token import Token
from ..zoo import Model
from .vectors import cosine, cosines

# id -> the tap before the first layer; a model has those it needs
ENTRANCE = {
    "row": "embedding.token",
    "scaled": "embedding.scaled",
    "sum": "embedding.sum",
    "enter": "embedding.output",
}


@dataclass(frozen=True, eq=False)
class Depth:
    """One column of the picture: the state of every token at one depth."""

    id: str  # "row", "scaled", "sum", "enter", "layer"
    number: int  # of the layer, from 1; 0 before the first
    taps: tuple[str, ...]  # of the source, then of the target
    states: np.ndarray  # [token, d_model], source rows, then target rows


@dataclass(frozen=True, eq=False)
class Looking:
    """The attention of one kind in one layer (from 1), the mean over its heads."""

    kind: str
    layer: int
    weights: np.ndarray  # [query, key]


@dataclass(frozen=True, eq=False)
class OverviewView:
    """One sentence on its way. `rows` are the tokens that are read and, after them, those that are written."""

    rows: tuple[Token, ...]
    read: int  # how many of the rows are read
    written: tuple[tuple[str, float], ...]  # for each row that is written: the word it gives, and its probability
    depths: tuple[Depth, ...]
    attention: tuple[Looking, ...]

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return tuple(token.text for token in self.rows)

    @property
    def special(self) -> tuple[bool, ...]:
        return tuple(token.special for token in self.rows)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        return tuple(token.id for token in self.rows)

    @property
    def nbytes(self) -> int:
        alike = 8 * len(self.rows) ** 2
        held = sum(x.weights.nbytes for x in self.attention) + sum(depth.states.nbytes for depth in self.depths)
        return held + alike

    @property
    def layers(self) -> int:
        return sum(depth.number > 0 for depth in self.depths)

    def cosines(self, a: int, b: int) -> np.ndarray:
        """[depth] how alike the states of two tokens are at every depth: 1 in the same direction, 0 at right angles."""
        return np.array([cosine(depth.states[a], depth.states[b]) for depth in self.depths])

    @cached_property
    def alike(self) -> np.ndarray:
        """[token, token] how alike the states of every two tokens are at the end."""
        return cosines(self.depths[-1].states)

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The tokens that are read and somebody typed, without mere punctuation."""
        return words_of(self.rows[: self.read])

    def twins(self) -> list[tuple[int, int]]:
        """Of each word that stands there more than once its last two places; the last such word first."""
        last: dict[int, list[int]] = {}
        for i in reversed(self.words):
            last.setdefault(self.ids[i], []).append(i)
        return [(places[1], places[0]) for places in last.values() if len(places) > 1]

    def pair(self) -> tuple[int, int]:
        """Two tokens to open on: the last repeated word and its twin before it, else the first two words; one that is
        alone, twice."""
        if twins := self.twins():
            return twins[0]
        first, *more = [*self.words, *(i for i in range(len(self.rows)) if i not in self.words)]
        return first, more[0] if more else first

    def mixes(self, row: int) -> bool:
        """Whether attention carries anything of another token into a row: what is written looks at what was read; of
        what is read, the first row may see itself alone."""
        reading = [looking.weights for looking in self.attention if looking.kind == self.attention[0].kind]
        return row >= self.read or any(np.delete(weights[row], row).any() for weights in reading)

    def others(self, a: int, b: int) -> float | None:
        """How alike the other words are at the end, on the average of all pairs of different ones."""
        pairs = other_pairs(self.rows[: self.read], a, b)
        return float(self.alike[tuple(pairs.T)].mean()) if len(pairs) else None


def words_of(tokens: Sequence[Token]) -> tuple[int, ...]:
    """The tokens that somebody typed, without mere punctuation."""
    return tuple(i for i, token in enumerate(tokens) if not token.special and token.text.lstrip("␣#")[:1].isalnum())


def other_pairs(tokens: Sequence[Token], a: int, b: int) -> np.ndarray:
    """[pair, 2]: every two places of words that are spelt differently, capitals and spaces aside, but for the two that
    are shown, `a` and `b`."""
    words = np.array(words_of(tokens), int)
    spelt = np.array([tokens[i].text.lstrip("␣#").casefold() for i in words])
    pairs = words[np.argwhere(np.triu(spelt[:, None] != spelt, 1))]
    return pairs[(pairs != sorted((a, b))).any(1)]


def entrance(model: Model) -> dict[str, str]:
    """The depths before the first layer. Where nothing happens between sum and layer, that is one depth."""
    taps = {id: tap for id, tap in ENTRANCE.items() if tap in model.tap_dims}
    if "embedding.norm.output" not in model.tap_dims:
        del taps["enter"]
    return taps


def attentions(model: Model) -> list[Place]:
    """Every attention, one kind after the other."""
    found = places.attentions(model.tap_dims)
    return [place for kind in places.ATTENTIONS for place in found if place.kind == kind]


def both(model: Model, tap: str) -> tuple[str, ...]:
    """A tap of the source side, and the one that stands there on the target side."""
    place, word = split(tap)
    return (tap, replace(place, stack="decoder").tap(word)) if model.translates else (tap,)


def depth_taps(model: Model) -> list[tuple[str, int, tuple[str, ...]]]:
    """Id, number and taps of every depth."""
    before = [(id, 0, both(model, tap)) for id, tap in entrance(model).items()]
    ends = model.depths()[1:]
    return [*before, *(("layer", number, both(model, tap)) for number, tap in enumerate(ends, 1))]


def taps(model: Model) -> tuple[str, ...]:
    """The taps that `overview_view` reads."""
    return (
        *(tap for _, _, depth in depth_taps(model) for tap in depth),
        *(place.tap("weights") for place in attentions(model)),
        *(["output.probabilities"] if model.translates else []),
    )


def overview_view(run: Capture, model: Model) -> OverviewView:
    """The view of a capture that holds `taps(model)`."""
    return OverviewView(
        rows=(*run.tokens, *run.target_in),
        read=len(run.tokens),
        written=tuple(
            (token.text, float(row[token.id]))
            for token, row in zip(run.target_out, run["output.probabilities"], strict=True)
        )
        if run.target_out
        else (),
        depths=tuple(
            Depth(id, number, names, np.concatenate([run[name] for name in names]))
            for id, number, names in depth_taps(model)
        ),
        attention=tuple(
            Looking(place.kind or "", (place.layer or 0) + 1, run[place.tap("weights")].mean(0))
            for place in attentions(model)
        ),
    )
