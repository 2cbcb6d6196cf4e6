"""Which way must a weight go for the loss to fall? And what does a step ten times as large do?"""

from collections.abc import Iterator, Mapping

from ..views.descent import Descent
from .question import Choice, Question

CERTAIN = 1.0  # the margin of an answer that has no rival


def each(descents: Mapping[float, Descent], usual: float) -> Iterator[Question]:
    """Of one weight that is trained with several learning rates; the `usual` one has been seen by then."""
    yield direction(descents[usual])
    yield overshoot(descents[usual], descents[max(descents)])


def direction(descent: Descent) -> Question:
    """The loss falls against the gradient."""
    gradient = float(descent.gradients[0])
    answer = "shrink" if gradient > 0 else "grow"
    facts: dict[str, float | str] = {
        "gradient": gradient,
        "rate": f"{descent.rate:g}",
        "before": float(descent.losses[0]),
        "after": float(descent.losses[1]),
        "weight": float(descent.weights[0]),
        "moved": float(descent.weights[1]),
    }
    return Question(f"direction_{answer}", (Choice("grow"), Choice("shrink")), answer, CERTAIN, 0, facts)


def overshoot(usual: Descent, large: Descent) -> Question:
    """From the same weight, by the largest rate."""
    before, after = float(large.losses[0]), float(large.losses[1])
    answer = "higher" if after > before else "lower"
    facts: dict[str, float | str] = {"rate": f"{large.rate:g}", "usual": f"{usual.rate:g}"}
    facts |= {"before": before, "after": after, "small": float(usual.losses[1])}
    return Question(f"overshoot_{answer}", (Choice("lower"), Choice("higher")), answer, CERTAIN, 0, facts)
