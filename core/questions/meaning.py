"""Which of these words' rows is nearest?"""

from collections.abc import Sequence

from ..views.meaning import Space, Word
from ..views.vectors import cosine
from .question import CLEAR, Choice, Question


def nearest_word(space: Space, asked: str, others: Sequence[str], kind: str) -> Question | None:
    """Which of these words' rows is nearest to the asked one's? `kind` says what can be said of the answer.

    None where the vocabulary cannot spell one of them, or none leads clearly.
    """
    word, choices = space.word(asked), [space.word(other) for other in others]
    found: list[Word] = [choice for choice in choices if choice is not None]
    if word is None or len(found) < len(choices):
        return None
    cosines = {choice.text: float(cosine(word.vector, choice.vector)) for choice in found}
    near, second, *_ = sorted(cosines, key=lambda text: -cosines[text])
    facts = {"word": asked, "near": near, "near_cosine": cosines[near], "second": second}
    facts["second_cosine"] = cosines[second]
    ids = {text: f"word{i}" for i, text in enumerate(cosines)}
    margin = cosines[near] - cosines[second]
    if margin < CLEAR:
        return None
    template = f"nearest_word.{kind}"
    return Question(template, tuple(Choice(ids[text], text) for text in cosines), ids[near], margin, word.ids[0], facts)
