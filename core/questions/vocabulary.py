"""Which pair is merged first by score, where it is not the most frequent one? And which next, by either rule?"""

from collections.abc import Iterator

from ..text.merging import Candidate, Merge, Rule, Training
from .question import CLEAR, Choice, Question

STEPS = 4  # merges that are asked about, of each rule


def each(score: Training, frequency: Training) -> Iterator[Question]:
    """The first merge; then one later merge after the other, by score and by frequency in turn."""
    first = first_merge(score, frequency)
    if first:
        yield first
    for step in range(1 if first else 0, STEPS):
        for training in (score, frequency):
            if found := next_merge(training, step):
                yield found


def first_merge(score: Training, frequency: Training) -> Question | None:
    """Of the pair with the best score, the most frequent one and a third: which is merged first by score?

    Asked where both winners stand alone and clear of what comes next, and are not the same.
    """
    if not (score.merges and frequency.merges):
        return None
    by_score, by_frequency = score.merges[0], frequency.merges[0]
    best, often = by_score.candidates[0], by_frequency.candidates[0]
    if by_score.tied > 1 or by_frequency.tied > 1 or best[:2] == often[:2] or by_score.count < 3:
        return None
    margin = 1 - by_score.candidates[1].score / best.score
    if margin < CLEAR:
        return None
    third = next(c for c in by_frequency.candidates[::-1] if c[:2] not in (best[:2], often[:2]))
    asked = sorted({best, often, third}, key=lambda c: (c.left, c.right))
    facts: dict[str, float | str] = {
        "best": name(best),
        "score": best.score,
        "times": best.frequency,
        "often": name(often),
        "often_score": often.score,
        "often_times": often.frequency,
        "often_left": often.of_left,
        "often_right": often.of_right,
    }
    return Question("first", named(asked), str(asked.index(best)), margin, 0, facts)


def next_merge(training: Training, step: int) -> Question | None:
    """After the first `step` merges: which pair is merged next? Asked where the winner is clear of the second best.

    Before any merge, too: where nothing is said to be merged yet, it is the first.
    """
    if step >= len(training.merges):
        return None
    merge = training.merges[step]
    if merge.tied > 1 or merge.count < 3:
        return None
    best, second, third = merge.candidates[:3]
    margin = 1 - worth(training, second) / worth(training, best)
    if margin < CLEAR:
        return None
    asked = sorted((best, second, third), key=lambda c: (c.left, c.right))
    facts: dict[str, float | str] = {
        "made": made(training.merges[:step]),
        "best": name(best),
        "times": best.frequency,
        "score": best.score,
        "second": name(second),
        "second_times": second.frequency,
        "second_score": second.score,
    }
    template = f"{'next' if step else 'begin'}_{'score' if training.rule == 'score' else 'frequency'}"
    return Question(template, named(asked), str(asked.index(best)), margin, step, facts)


def rule_of(question: Question) -> Rule:
    """The rule that it is about."""
    return "frequency" if question.template.endswith("frequency") else "score"


def tells_of(question: Question, training: Training) -> int | None:
    """After how many merges of this training it asks; None where it tells of others."""
    same = training.rule != "bpe" and made(training.merges[: question.row]) == question.facts.get("made", "")
    return question.row if same else None


def worth(training: Training, candidate: Candidate) -> float:
    """What the rule judges a pair by."""
    return candidate.score if training.rule == "score" else candidate.frequency


def made(merges: tuple[Merge, ...]) -> str:
    return ", ".join(merge.made for merge in merges)


def named(asked: list[Candidate]) -> tuple[Choice, ...]:
    return tuple(Choice(str(i), name(candidate)) for i, candidate in enumerate(asked))


def name(candidate: Candidate) -> str:
    return f"{candidate.left} {candidate.right}"
