"""Raise the frequency of a word until the path flips: which word breaks, or which one stays?"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from ..text.word_graph import Edge, Path
from .question import Choice, Question

ONE_LINE = 6  # characters that three choices may have together
TRIED = 10  # words that are weighed to ask about
ENOUGH = 4  # questions of one text


def each(
    before: Path, words: Iterable[Edge], threshold: Callable[[Edge], int | None], after: Callable[[Edge, int], Path]
) -> Iterator[Question]:
    """A question for each of these words that has one; none that would be answered like one before it.

    `threshold` says which frequency a word needs, `after` what is the best path then.
    """
    asked: list[tuple[tuple[Choice, ...], str]] = []
    for number, edge in enumerate(dict.fromkeys(words)):
        if number == TRIED or len(asked) == ENOUGH:
            return
        at = threshold(edge)
        found = flip(before, after(edge, at), edge, at) if at is not None and at > edge.frequency else None
        if found and (found.choices, found.answer) not in asked:
            asked.append((found.choices, found.answer))
            yield found


def flip(before: Path, after: Path, edge: Edge, threshold: int) -> Question | None:
    """Raise the frequency of {word} until the path flips: which word breaks, or which one stays?

    `after` is the best path once `edge` has the frequency `threshold`. Where one word breaks, it is asked for among
    its neighbours; where several do, a neighbour that stays is.
    """
    kept = {(e.start, e.end) for e in after.edges}
    broken = [i for i, e in enumerate(before.edges) if (e.start, e.end) not in kept]
    if not broken or any(b - a > 1 for a, b in pairwise(broken)):
        return None
    around = [i for i in (broken[0] - 1, broken[-1] + 1) if 0 <= i < len(before.edges)]
    stays = around[edge.start % len(around)] if around else 0  # not always the last
    few = broken[-3:] if sum(len(before.edges[i].text) for i in broken[-3:]) <= ONE_LINE else broken[-2:]
    asked = sorted([*broken, *around]) if len(broken) == 1 else sorted([*few, stays])
    texts = [before.edges[i].text for i in asked]
    again = {e.text for e in after.edges}.intersection(before.edges[i].text for i in broken)
    if not around or len(set(texts)) < len(texts) or again:  # a word is asked for by its letters, not by its place
        return None
    last = len(before.edges) - 1
    template, answer = ("breaks", broken[0]) if len(broken) == 1 else ("stays", stays)
    facts = {
        "word": edge.text,
        "frequency": edge.frequency,
        "threshold": threshold,
        "answer": before.edges[answer].text,
        "after": excerpt(after, before.edges[max(0, broken[0] - 1)], before.edges[min(last, broken[-1] + 1)]),
        "gone": " / ".join(before.edges[i].text for i in broken),
    }
    choices = tuple(Choice(str(i), before.edges[i].text) for i in asked)
    return Question(template, choices, str(answer), 1.0, edge.start, {**facts, "end": str(edge.end)})


def excerpt(path: Path, first: Edge, last: Edge) -> str:
    """The words of a path from where one begins to where another ends; dots where it goes on."""
    words = [edge.text for edge in path.edges if first.start <= edge.start and edge.end <= last.end]
    before = ["…"] if path.edges[0].start < first.start else []
    after = ["…"] if path.edges[-1].end > last.end else []
    return " / ".join([*before, *words, *after])
