"""How a translation comes about, as it is shown: at each step what might come next, or what is kept."""

from collections.abc import Callable
from dataclasses import dataclass

from core.capture import decode, translation_of
from core.figures.decoding import Kept, Might, Step
from core.model.decoding import Beam
from core.model.decoding import Decoding as Walk
from pages.shared.server import cached
from pages.stages.translation.context import ID, view_of

BEAM = 4  # translations kept at once


@dataclass(frozen=True)
class Writing:
    """A whole translation, step by step, and how it ends. `paths` are the words of what is kept after each step."""

    steps: tuple[Step, ...]  # one for each row of the greedy translation
    log_probability: float
    text: str  # the best of the last step
    ids: tuple[int, ...]
    paths: tuple[tuple[tuple[int, ...], ...], ...] = ()

    @property
    def nbytes(self) -> int:
        """About: each entry is a tuple, a text and two numbers."""
        return 200 * sum(len(step.candidates) + len(step.beams) for step in self.steps)


@cached.shared
def greedy(text: str) -> Writing:
    """The likeliest word at each step, with its rivals."""
    taken = [token.id for token in view_of(text).written]

    def step(walk: Walk, row: int) -> Step:
        return Step(candidates=candidates(walk[row].best, taken[row] if row < len(taken) else None))

    return writing(text, 1, step)


@cached.shared
def beam(text: str) -> Writing:
    """The best few translations at once: what is kept when a row has been written."""
    return writing(text, BEAM, lambda walk, row: Step(beams=kept(walk[row + 1].beams)))


def writing(text: str, width: int, step: Callable[[Walk, int], Step]) -> Writing:
    model = cached.model(ID)
    walk = decode(model, text, width=width)
    steps = tuple(step(walk, row) for row in range(len(view_of(text).given)))
    last = walk.last.best
    paths = tuple(tuple(one.ids for one in walk[row + 1].beams[: len(made.beams)]) for row, made in enumerate(steps))
    return Writing(steps, last.log_probability, translation_of(model, last.ids).text, last.ids, paths)


def candidates(best: Beam, taken: int | None) -> tuple[Might, ...]:
    pieces = cached.model(ID).tokenizer.pieces
    return tuple(Might(pieces[c.id], c.probability, c.id == taken, c.id) for c in best.candidates)


def kept(beams: tuple[Beam, ...]) -> tuple[Kept, ...]:
    pieces = cached.model(ID).tokenizer.pieces
    return tuple(
        Kept(" ".join(pieces[id] for id in one.ids), one.log_probability, one.score, i == 0)
        for i, one in enumerate(beams)
    )
