"""What comes second, or how sure is the model of it? The page before has shown what comes first."""

from collections.abc import Iterator, Sequence

from ..views.generation import GenerationView
from ..writing import Step
from .question import CLEAR, Choice, Question

OFFERED = 4  # tokens, the likeliest, in the order of their ids
BOUNDS = {"little": (0.0, 0.1), "some": (0.1, 0.5), "most": (0.5, 1.0)}
APART = 0.03  # of a bound
ASKED = 1  # the second step: the first token has become input


def each(view: GenerationView, steps: Sequence[Step]) -> Iterator[Question]:
    """Of the second step, greedily: which token is the likeliest, where that is clear; else what share it has."""
    if len(steps) <= ASKED:
        return
    step, names = steps[ASKED], view.model.tokenizer.names
    ids, share_of = view.likeliest(step), dict(zip(step.best, step.lines[0].shares, strict=True))
    best, second = (share_of[id] for id in ids[:2])
    facts = {
        "first": names[steps[0].id],
        "best": names[ids[0]],
        "share": best,
        "second": names[ids[1]],
        "second_share": second,
    }
    if best - second >= CLEAR:
        offered = tuple(Choice(str(id), names[id]) for id in sorted(ids[:OFFERED]))
        yield Question("next_token", offered, str(ids[0]), best - second, ASKED, facts)
    apart = min(abs(best - bound) for bound in (0.1, 0.5))
    if apart >= APART:
        answer = next(id for id, (low, high) in BOUNDS.items() if low <= best <= high)
        yield Question("how_sure", tuple(map(Choice, BOUNDS)), answer, apart, ASKED, facts)
