"""Which run ends lowest, begins highest, has the longest gradient? And does the worst one beat a blind guess?

Asked where every one of the first weights gives the same answer.
"""

from collections.abc import Iterator, Mapping, Sequence

from ..training.recorded import Run
from .question import CLEAR, Choice, Question

MOST = 4  # runs to choose from
BEGINNINGS = ("loss", "gradient")


def lowest(runs: Mapping[str, Run], names: Mapping[str, str]) -> Question | None:
    """Of all runs, where one stands clear; else of the first and the one that is hardest to tell from it and still
    stands clear."""
    every = list(runs)
    pairs = [[every[0], other] for other in every[1:]]
    clear = sorted((pair for pair in pairs if margin(runs, pair) >= CLEAR), key=lambda pair: margin(runs, pair))
    for asked in [*([every] if len(every) <= MOST else []), *clear[:1]]:
        if (by := margin(runs, asked)) >= CLEAR:
            return question(runs, names, asked, by)
    return None


def each(runs: Mapping[str, Run], names: Mapping[str, str]) -> Iterator[Question]:
    """One measure after the other: how they end, how they begin, the first gradient, and a blind guess."""
    asked = (lowest(runs, names), *(largest(runs, names, of) for of in BEGINNINGS), beaten(runs, names))
    yield from filter(None, asked)


def largest(runs: Mapping[str, Run], names: Mapping[str, str], of: str) -> Question | None:
    """Whose first loss, or gradient, is largest? Of at most MOST runs: the two that differ most, and those between."""
    first = {id: [float(curves[of][0]) for curves in run.seeds] for id, run in runs.items()}
    best, *others = sorted(first, key=lambda id: -first[id][0])
    following = max(others, key=lambda id: max(first[id]))
    margin = 1 - max(first[following]) / min(first[best])
    if margin < CLEAR:
        return None
    asked = {best, following, *others[-(MOST - 2) :]}
    facts: dict[str, float | str] = {
        "best": names[best],
        "value": first[best][0],
        "other": names[following],
        "next": first[following][0],
        "seeds": str(len(first[best])),
    }
    choices = tuple(Choice(id, names[id]) for id in runs if id in asked)
    return Question(f"first_{of}", choices, best, margin, 0, facts)


def beaten(runs: Mapping[str, Run], names: Mapping[str, str]) -> Question | None:
    """Does the run that ends highest end below the loss of a blind guess?"""
    worst = max(runs, key=lambda id: runs[id].ends[0])
    ends, guessing = runs[worst].ends, runs[worst].setting.guessing
    below = max(ends) < guessing
    margin = 1 - max(ends) / guessing if below else 1 - guessing / min(ends)
    if margin < CLEAR:
        return None
    facts: dict[str, float | str] = {
        "worst": names[worst],
        "end": ends[0],
        "blind": guessing,
        "steps": str(len(runs[worst].loss)),
        "seeds": str(len(ends)),
    }
    return Question(
        f"guess_{'below' if below else 'above'}", (Choice("yes"), Choice("no")), ("no", "yes")[below], margin, 0, facts
    )


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
