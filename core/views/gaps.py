"""[MASK] and [CLS] at work, in the small model that was trained on both: what fills a gap, and whether the order is
the usual one."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from ..text.gaps import CLS, MASK, SEP, SPECIALS, UNK, cut
from ..training import masked

BEST = 5
LONGEST = masked.config().positions - 2  # tokens besides [CLS] and [SEP]


@dataclass(frozen=True)
class Filled:
    """One token hidden, and what the model expects there.

    Attributes:
        best: the pieces with the highest probabilities, the highest first.
        right: the probability of what stood there.
        rank: as which of all pieces it comes, from 1.
    """

    best: tuple[tuple[str, float], ...]
    right: float
    rank: int


def read(text: str) -> tuple[str, ...]:
    """The tokens of a text, as this model cuts it."""
    return tuple(cut(text, masked.ids().keys()))[:LONGEST]


def unknown(tokens: Sequence[str]) -> list[str]:
    """Those it has never met: they become [UNK]."""
    return [token for token in tokens if token not in masked.ids() or token in SPECIALS]


def ids(tokens: Sequence[str]) -> list[int]:
    return [UNK if token in SPECIALS else masked.ids().get(token, UNK) for token in tokens]


def states(*lines: Sequence[int]) -> torch.Tensor:
    """[line, token, d_model]: the last states of lines of one length, [CLS] before each and [SEP] behind."""
    given = torch.tensor([[CLS, *line, SEP] for line in lines])
    return masked.load()(given, torch.zeros_like(given, dtype=torch.bool))


def fill(tokens: Sequence[str], at: int) -> Filled:
    """Hide the token at `at`. The special tokens can be no answer."""
    line = ids(tokens)
    was, line[at] = line[at], MASK
    logits = masked.load().words(states(line)[0, at + 1])
    logits[: len(SPECIALS)] = -torch.inf
    found = logits.softmax(-1)  # vocab
    best = found.argsort(descending=True, stable=True)[:BEST].tolist()
    rank = int((found > found[was]).sum()) + 1
    return Filled(tuple((masked.rows()[id], float(found[id])) for id in best), float(found[was]), rank)


def orders(tokens: Sequence[str]) -> tuple[float, dict[int, float]]:
    """The probability that two neighbours were exchanged: of the tokens as they stand, and, by the place of the first,
    where one and the next have changed places. Of two that are the same nothing would change: these are left out."""
    line = ids(tokens)
    places = [i for i in range(len(line) - 1) if line[i] != line[i + 1]]
    changed = [[*line[:i], line[i + 1], line[i], *line[i + 2 :]] for i in places]
    plain, *asked = masked.load().verdict(states(line, *changed)).softmax(-1)[:, 1].tolist()
    return plain, dict(zip(places, asked, strict=True))
