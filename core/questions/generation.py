"""What comes next, or how sure is the model of it?"""

from collections.abc import Iterator, Sequence

from ..views.generation import GenerationView
from ..writing import Step
from .question import CLEAR, Choice, Question

OFFERED = 4  # tokens, the likeliest, in the order of their ids
BOUNDS = {"little": (0.0, 0.1), "some": (0.1, 0.5), "most": (0.5, 1.0)}
APART = 0.03  # of a bound


def each(view: GenerationView, steps: Sequence[Step]) -> Iterator[Question]:
    """Of the first step, greedily: which token is the likeliest, where that is clear; else what share it has."""
    if not steps:
        return
    step, names = steps[0], view.model.tokenizer.names
    ids, share_of = view.likeliest(step), dict(zip(step.best, step.lines[0].shares, strict=True))
    best, second = (share_of[id] for id in ids[:2])
    facts = {"best": names[ids[0]], "share": best, "second": names[ids[1]], "second_share": second}
    if best - second >= CLEAR:
        offered = tuple(Choice(str(id), names[id]) for id in sorted(ids[:OFFERED]))
        yield Question("next_token", offered, str(ids[0]), best - second, 0, facts)
    apart = min(abs(best - bound) for bound in (0.1, 0.5))
    if apart >= APART:
        answer = next(id for id, (low, high) in BOUNDS.items() if low <= best <= high)
        yield Question("how_sure", tuple(map(Choice, BOUNDS)), answer, apart, 0, facts)
