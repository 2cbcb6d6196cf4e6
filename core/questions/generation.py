"""What comes next, or how sure is the model of it?"""

from collections.abc import Iterator, Sequence

from ..views.generation import GenerationView, visible
from ..writing import Step
from .question import CLEAR, Choice, Question

OFFERED = 4  # tokens
BOUNDS = {"little": (0.0, 0.1), "some": (0.1, 0.5), "most": (0.5, 1.0)}
APART = 0.03  # of a bound


def each(view: GenerationView, steps: Sequence[Step]) -> Iterator[Question]:
    """Of the first step, greedily: which token is the likeliest, where that is clear; else what share it has."""
    if not steps:
        return
    step = steps[0]
    best, second = step.lines[0].shares[:2]
    facts = {
        "best": visible(view.model, step.best[0]),
        "share": best,
        "second": visible(view.model, step.best[1]),
        "second_share": second,
    }
    if best - second >= CLEAR:
        yield Question("next_token", offered(view, step), str(step.best[0]), best - second, 0, facts)
    apart = min(abs(best - bound) for bound in (0.1, 0.5))
    if apart >= APART:
        answer = next(id for id, (low, high) in BOUNDS.items() if low <= best <= high)
        yield Question("how_sure", tuple(map(Choice, BOUNDS)), answer, apart, 0, facts)


def offered(view: GenerationView, step: Step) -> tuple[Choice, ...]:
    """The likeliest tokens that look different, in the order of their ids."""
    found: dict[str, int] = {}
    for id in step.best:
        found.setdefault(visible(view.model, id), id)
        if len(found) == OFFERED:
            break
    return tuple(Choice(str(id), text) for text, id in sorted(found.items(), key=lambda one: one[1]))
