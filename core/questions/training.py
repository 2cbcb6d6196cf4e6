"""Which run ends lowest? Asked where every one of its first weights gives the same answer."""

from collections.abc import Iterator, Mapping, Sequence

from core.questions.question import CLEAR, Choice, Question
from core.training.recorded import Run

MOST = 4  # runs to choose from


def lowest(runs: Mapping[str, Run], names: Mapping[str, str]) -> Question | None:
    """Of all runs, where one stands clear; else of the first and the one that is hardest to tell from it and still
    stands clear."""
    return next(each(runs, names), None)


def each(runs: Mapping[str, Run], names: Mapping[str, str]) -> Iterator[Question]:
    """That one; then of the first and each other, where that is clear and the answer has not been given by it."""
    every = list(runs)
    pairs = [[every[0], other] for other in every[1:]]
    clear = sorted((pair for pair in pairs if margin(runs, pair) >= CLEAR), key=lambda pair: margin(runs, pair))
    for asked in [*([every] if len(every) <= MOST else []), *clear[:1]]:
        if (by := margin(runs, asked)) >= CLEAR:
            yield question(runs, names, asked, by)
            return


def margin(runs: Mapping[str, Run], asked: Sequence[str]) -> float:
    """By how much the best run's worst end stays below the best end of all others; below 0 where it does not."""
    best = winner(runs, asked)
    return 1 - max(runs[best].ends) / min(min(runs[other].ends) for other in asked if other != best)


def winner(runs: Mapping[str, Run], asked: Sequence[str]) -> str:
    """The run that ends lowest from its first weights."""
    return min(asked, key=lambda id: runs[id].ends[0])


def question(runs: Mapping[str, Run], names: Mapping[str, str], asked: Sequence[str], by: float) -> Question:
    best = winner(runs, asked)
    following = winner(runs, [id for id in asked if id != best])
    facts: dict[str, float | str] = {
        "best": names[best],
        "held": runs[best].ends[0],
        "other": names[following],
        "next": runs[following].ends[0],
        "steps": str(len(runs[best].loss)),
        "seeds": str(len(runs[best].ends)),
    }
    choices = tuple(Choice(id, names[id]) for id in asked)
    return Question("lowest" if len(asked) == len(runs) else "lower", choices, best, by, 0, facts)
