"""Writing a translation: one word after the other, the best each time, or the best few sentences at once."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .stepwise import Stepwise
from .taps import Change
from .transformer import Transformer


@dataclass(frozen=True)
class Candidate:
    """What may come next: its id, its probability."""

    id: int
    probability: float


@dataclass(frozen=True)
class Beam:
    """A translation as far as it is written.

    Attributes:
        ids: the words so far, without the start token; the last is the end token where it is finished.
        log_probability: the sum over its words.
        finished: whether the end token is written.
        candidates: the likeliest next words, best first; none where it is finished.
    """

    ids: tuple[int, ...]
    log_probability: float
    finished: bool
    candidates: tuple[Candidate, ...]

    @property
    def score(self) -> float:
        """The log-probability over what its length counts for, so that long ones are not at a loss."""
        return self.log_probability / counts_for(len(self.ids))


def counts_for(words: int) -> float:
    """((5 + n) / 6)^0.6 for n words (Wu et al. 2016, 7)."""
    return ((5 + words) / 6) ** 0.6


@dataclass(frozen=True)
class Step:
    """What stands after some words are written: the translations kept, best first.

    Attributes:
        last: nothing comes after this step.
        cut: it is the last because there was no room for more, and the best translation is not finished.
    """

    number: int
    beams: tuple[Beam, ...]
    last: bool
    cut: bool

    @property
    def best(self) -> Beam:
        """The translation that leads."""
        return self.beams[0]


class Decoding(Stepwise[Step]):
    """A translation that can be walked through, forward and back; each step is computed once.

    `decoding[3]` is what stands after three words; iterating goes from the empty translation, step 0, to the last.
    With `width` 1 this is greedy decoding: always the likeliest word.
    """

    def __init__(
        self,
        network: Transformer,
        source: Tensor,
        *,
        start: int,
        end: int,
        longest: int = 63,
        width: int = 1,
        shown: int = 5,
        edits: Sequence[Change] = (),
    ):
        """source [1, n]: the ids of the sentence to translate; at most `longest` words are written.

        Raises:
            ValueError: no room for a word, or no translation to keep.
        """
        if longest < 1 or width < 1:
            raise ValueError(f"longest {longest} and width {width} must be at least 1")
        super().__init__(edits)
        self.network, self.source = network, source
        self.start, self.end = start, end
        self.longest, self.width, self.shown = longest, width, shown
        self._memory: Tensor | None = None
        self._next: list[Tensor] = []  # log-probabilities of the next word, for each beam of the last step

    @property
    def last(self) -> Step:
        """The last step: it always comes, after `longest` words at the latest."""
        return self[self.longest]

    @torch.no_grad()
    def _advance(self) -> None:
        if self._memory is None:
            self._memory = self.network.read(self.source, torch.zeros_like(self.source, dtype=torch.bool))
        number = len(self._steps)
        beams = self._extended() if self._steps else [((), 0.0, False)]
        full = number == self.longest
        self._next = [torch.empty(0) if finished else self._following(ids) for ids, _, finished in beams]
        made = [
            Beam(ids, log, finished, () if finished else self._candidates(following))
            for (ids, log, finished), following in zip(beams, self._next, strict=True)
        ]
        done = made[0].finished
        self._steps.append(Step(number, tuple(made), last=done or full, cut=full and not done))

    def _following(self, ids: tuple[int, ...]) -> Tensor:
        """[vocab] log-probabilities of the word after `ids`."""
        assert self._memory is not None
        target = torch.tensor([[self.start, *ids]])
        nothing = torch.zeros_like(target, dtype=torch.bool)
        source_padding = torch.zeros_like(self.source, dtype=torch.bool)
        logits, _ = self.network.write(target, nothing, self._memory, source_padding)
        return torch.log_softmax(logits[0, -1], dim=-1)

    def _candidates(self, following: Tensor) -> tuple[Candidate, ...]:
        values, ids = following.topk(min(self.shown, len(following)))
        return tuple(Candidate(int(id), math.exp(value)) for id, value in zip(ids, values, strict=True))

    def _extended(self) -> list[tuple[tuple[int, ...], float, bool]]:
        """The best continuations of all beams, finished ones carried along, best score first."""
        found: list[tuple[tuple[int, ...], float, bool]] = []
        for beam, following in zip(self._steps[-1].beams, self._next, strict=True):
            if beam.finished:
                found.append((beam.ids, beam.log_probability, True))
                continue
            values, ids = following.topk(min(self.width, len(following)))
            for id, value in zip(ids.tolist(), values.tolist(), strict=True):
                found.append(((*beam.ids, id), beam.log_probability + value, id == self.end))
        return sorted(found, key=lambda beam: Beam(*beam, ()).score, reverse=True)[: self.width]


@torch.no_grad()
def greedy(
    network: Transformer, source: Tensor, source_padding: Tensor, *, start: int, end: int, longest: int = 63
) -> list[list[int]]:
    """The greedy translations of a whole batch [batch, source], as ids without start and end token."""
    memory = network.read(source, source_padding)
    target = torch.full((len(source), 1), start)
    finished = torch.zeros(len(source), dtype=torch.bool)
    for _ in range(longest):
        logits, _ = network.write(target, torch.zeros_like(target, dtype=torch.bool), memory, source_padding)
        word = logits[:, -1].argmax(-1).masked_fill(finished, end)
        target = torch.cat([target, word[:, None]], dim=1)
        finished |= word == end
        if finished.all():
            break
    return [row[: row.index(end)] if end in row else row for row in target[:, 1:].tolist()]
