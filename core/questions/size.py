"""Where most of a model's parameters are, or what a text twice as long costs."""

from collections.abc import Iterator

from ..lessons.size import Shape, longer, parameters, total, work
from .question import CLEAR, Choice, Question

TIMES = ("2", "3", "4")


def each(shape: Shape, tokens: int) -> Iterator[Question]:
    """Of the model that reads, and a text of so many tokens."""
    yield from (question for question in (most(shape), twice(shape, tokens)) if question)


def most(shape: Shape) -> Question | None:
    """Which part has most parameters? Asked where one stands clear of the next, as shares of all."""
    counts = {count.id: count.value for count in parameters(shape)}
    everything = sum(counts.values())
    choices = ("token", "attention", "feedforward")
    first, second = sorted(choices, key=lambda id: -counts[id])[:2]
    if max(counts.values()) != counts[first]:
        return None
    margin = (counts[first] - counts[second]) / everything
    if margin < CLEAR:
        return None
    facts: dict[str, float | str] = {f"of_{id}": f"{100 * counts[id] / everything:.1f}\u00a0%" for id in choices}
    facts["count"] = f"{counts[first]:,}"
    return Question(f"most_{first}", tuple(map(Choice, choices)), first, margin, 0, facts)


def twice(shape: Shape, tokens: int) -> Question | None:
    """How many times the multiply-adds does a text take that is twice as long? Asked where it is near 2, 3 or 4."""
    tokens = max(1, tokens)
    once, both = (total(work(longer(shape, n))) for n in (tokens, 2 * tokens))
    factor = both / once
    answer = min(TIMES, key=lambda id: abs(factor - int(id)))
    margin = 0.5 - abs(factor - int(answer))
    if margin < CLEAR:
        return None
    facts: dict[str, float | str] = {"tokens": tokens, "twice": 2 * tokens, "factor": f"{factor:.2f}"}
    return Question("twice", tuple(map(Choice, TIMES)), answer, margin, 0, facts)
