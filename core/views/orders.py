"""Why positions at all: the same words in two orders, read with positions, without, and one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..capture import Capture
from ..text.byte_pairs import SEEN
from ..text.token import Token
from ..zoo import Model
from .vectors import cosine

if TYPE_CHECKING:
    from torch import nn


READERS = ("on", "off", "recurrent")  # attention with positions, attention without, a recurrent network without
SEED = 7  # of the untrained recurrent reader
SAME = 1e-4  # as a share of its length: what differs less is the same vector, but for rounding


@dataclass(frozen=True, eq=False)
class Reading:
    """What one reader makes of two orders; row i of both is the same word."""

    first: np.ndarray  # [token, d], the last vector of each token of the first text
    second: np.ndarray  # [token, d], of the same tokens in the second text
    written: tuple[str | None, str | None] = (None, None)  # translations, where there are any

    @property
    def difference(self) -> np.ndarray:
        """[token]: ‖first - second‖ as a share of ‖first‖."""
        return np.linalg.norm(self.first - self.second, axis=-1) / np.linalg.norm(self.first, axis=-1)

    @property
    def largest(self) -> float:
        """The largest difference of any single number."""
        return float(np.abs(self.first - self.second).max())

    @property
    def cosine(self) -> np.ndarray:
        """[token]: of first and second."""
        return cosine(self.first, self.second)


@dataclass(frozen=True)
class Swapped:
    """A text in which two words have changed places, and which words."""

    text: str
    first: str
    second: str


@dataclass(frozen=True, eq=False)
class OrderView:
    """The same tokens in two orders, read three ways."""

    texts: tuple[str, str]
    tokens: tuple[tuple[str, ...], tuple[str, ...]]
    special: tuple[bool, ...]  # of the first
    partner: tuple[int, ...]  # for each token of the first text, its place in the second
    readings: Mapping[str, Reading]  # by READERS

    @property
    def nbytes(self) -> int:
        return sum(r.first.nbytes + r.second.nbytes for r in self.readings.values())

    def moved(self) -> list[int]:
        """The tokens that stand elsewhere in the second text."""
        return [i for i, j in enumerate(self.partner) if i != j]


def order_taps(model: Model) -> tuple[str, ...]:
    """The taps that `order_view` reads."""
    return "embedding.token", model.depths()[-1]


def order_view(model: Model, runs: Mapping[str, tuple[Capture, Capture]]) -> OrderView | None:
    """Two texts of the same tokens, captured with positions ("on") and without ("off"); None if the tokens differ."""
    (a, b), (token, last) = runs["on"], order_taps(model)
    partner = partners([t.id for t in a.tokens], [t.id for t in b.tokens])
    if partner is None:
        return None
    there = list(partner)
    readings = {
        name: Reading(first[last], second[last][there], (first.text_out, second.text_out))
        for name, (first, second) in runs.items()
    }
    readings["recurrent"] = Reading(recurrent_states(a[token]), recurrent_states(b[token])[there])
    return OrderView(
        texts=(a.text, b.text),
        tokens=(tuple(t.text for t in a.tokens), tuple(t.text for t in b.tokens)),
        special=tuple(t.special for t in a.tokens),
        partner=partner,
        readings=readings,
    )


def partners(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...] | None:
    """For each id of `first`, its place in `second`, equal ids in their order; None if they are not the same ids."""
    if sorted(first) != sorted(second):
        return None
    places: dict[int, list[int]] = {}
    for place, id in enumerate(second):
        places.setdefault(id, []).append(place)
    return tuple(places[id].pop(0) for id in first)


def word_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the words of a text begin and end, from the tokens they became."""
    words: dict[int, tuple[int, int]] = {}
    for token in tokens:
        if not token.special and token.word is not None:
            start, end = words.get(token.word, (token.start, token.end))
            words[token.word] = min(start, token.start), max(end, token.end)
    return list(words.values())


def spelt(tokens: Sequence[Token], start: int, end: int) -> str:
    """The tokens of a part of the text, one after the other."""
    inside = (token.text for token in tokens if start <= token.start and token.end <= end and token.start < token.end)
    return "".join(inside).lstrip(SEEN[ord(" ")])


def swap(text: str, words: Sequence[tuple[int, int]], tokens: Sequence[Token] = ()) -> Swapped | None:
    """The text with the first and the last word that stand in it once in each other's place; where there are no two,
    the first word and the last other one. None where all words are the same.

    `words` says where each of them begins and ends. Of those that became `tokens`, words are the same that became the
    same ones: all that the model does not know.
    """
    spans = sorted(span for span in words if any(c.isalnum() for c in text[slice(*span)]))
    spoken = [(spelt(tokens, *span) or text[slice(*span)]).casefold() for span in spans]
    once = [span for span, word in zip(spans, spoken, strict=True) if spoken.count(word) == 1]
    others = [span for span, word in zip(spans, spoken, strict=True) if word != spoken[0]]
    if len(once) < 2 and not others:
        return None
    (s1, e1), (s2, e2) = (once[0], once[-1]) if len(once) > 1 else (spans[0], others[-1])
    first, second = text[s1:e1], text[s2:e2]
    return Swapped(text[:s1] + second + text[e1:s2] + first + text[e2:], first, second)


def recurrent_states(rows: np.ndarray) -> np.ndarray:
    """[n, d] -> [n, d]: the state of an untrained GRU after each row, one step after the other."""
    from torch import from_numpy, no_grad

    with no_grad():
        states, _ = recurrent_reader(rows.shape[1])(from_numpy(rows.copy())[None])
    return states[0].numpy()


@lru_cache(maxsize=4)
def recurrent_reader(d: int) -> "nn.GRU":
    """PyTorch's own recurrent network, its weights drawn as it draws them itself, with a seed that is named: `SEED`."""
    from torch import Generator, nn

    reader, order = nn.GRU(d, d, batch_first=True), Generator().manual_seed(SEED)
    for weight in reader.parameters():
        nn.init.uniform_(weight, -(d**-0.5), d**-0.5, generator=order)
    return reader.eval()
