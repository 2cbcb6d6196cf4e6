"""A pair's frequency and score, from the words as they are split: each count a sum over the words that hold it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..text.merging import Candidate, Rule
from .steps import Derivation, Step, Term

READ = 4  # words of a sum that are written out


def derive_candidate(
    candidate: Candidate, splits: Mapping[str, Sequence[str]], counts: Mapping[str, int], rule: Rule
) -> Derivation:
    """The sums, and by score their quotient; held against what the training had kept up to date."""
    left, right = candidate.left, candidate.right
    pair = counted("pair", {w: list(pairwise(s)).count((left, right)) for w, s in splits.items()}, counts)
    if rule != "score":
        return Derivation((pair,), candidate.frequency)
    x = counted("left", {word: list(split).count(left) for word, split in splits.items()}, counts)
    y = counted("right", {word: list(split).count(right) for word, split in splits.items()}, counts)
    parts = {"pair": pair.value, "left": x.value, "right": y.value}
    score = pair.value / (x.value * y.value)
    return Derivation((pair, x, y, Step("score", score, parts)), candidate.score)


def counted(id: str, times: Mapping[str, int], counts: Mapping[str, int]) -> Step:
    """Σ count · times, over the words; `parts` name the words of the largest terms."""
    terms = {word: Term(i, counts[word], times[word]) for i, word in enumerate(times) if times[word]}
    first = sorted(terms, key=lambda word: -terms[word].value)[:READ]
    total = sum(term.value for term in terms.values())
    names: dict[str, float | str] = {f"word{i}": word for i, word in enumerate(first)}
    largest = tuple(terms[word] for word in first)
    rest = total - sum(term.value for term in largest)
    return Step(id, total, names, largest=largest, count=len(terms), rest=rest)
