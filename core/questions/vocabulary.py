"""Which pair does the score merge first? Asked where it is not the most frequent one."""

from core.questions.question import CLEAR, Choice, Question
from core.text.merging import Candidate, Training


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
    choices = tuple(Choice(str(i), name(c)) for i, c in enumerate(asked))
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
    return Question("first", choices, str(asked.index(best)), margin, 0, facts)


def name(candidate: Candidate) -> str:
    return f"{candidate.left} {candidate.right}"
