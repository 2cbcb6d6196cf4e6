"""When a word becomes whole; a pair that is more frequent and is not merged."""

from ..text.merging import Training
from ..views.vocabulary import VocabularyView, vocabulary_view
from .exercise import Exercise, Patch, Values, Verdict

LETTERS = 3  # that a word must have at least
EXAMPLE = "hug×10 pug×5 pun×12 bun×4 hugs×5"


def step_of(training: Training, values: Values) -> int:
    return min(values["step"], len(training.merges))


def first_whole(training: Training) -> tuple[int, str] | None:
    """After how many merges the first word of three letters or more is one piece, and which."""
    found = []
    for word in training.words:
        number, pieces = list(training.walk(word))[-1]
        if len(word) >= LETTERS and len(pieces) == 1:
            found.append((number, word))
    return min(found, default=None, key=lambda one: one[0])


def whole_now(view: VocabularyView, values: Values) -> Verdict:
    """Has the training gone exactly so far that the first longer word is whole?"""
    training, first = view.training, first_whole(view.training)
    step = step_of(training, values)
    if first is None:
        return Verdict(False, {"step": step}, "never")
    if step == first[0]:
        return Verdict(True, {"step": step, "word": first[1]})
    words = [word for word in training.words if len(word) >= LETTERS]
    fewest = min(words, key=lambda word: len(list(training.walk(word, step))[-1][1]))
    pieces = list(training.walk(fewest, step))[-1][1]
    facts = {"step": step, "word": fewest, "pieces": " ".join(pieces)}
    return Verdict(False, facts, "early" if step < first[0] else "late")


def to_the_first_whole(view: VocabularyView, values: Values) -> Patch | None:
    first = first_whole(view.training)
    return None if first is None else {"step": first[0], "pair": None}


def beaten(view: VocabularyView, values: Values) -> Verdict:
    """By score: is a pair selected that is more frequent than the winner, and scores lower?"""
    training = view.training
    if training.rule != "score":
        return Verdict(False, said="rule")
    if not training.merges:
        return Verdict(False, said="never")
    merge = training.merges[min(step_of(training, values), len(training.merges) - 1)]
    best, chosen = merge.candidates[0], merge.candidates[min(values["pair"], len(merge.candidates) - 1)]
    facts = {
        "pair": f"{chosen.left} {chosen.right}",
        "times": chosen.frequency,
        "score": chosen.score,
        "best": f"{best.left} {best.right}",
        "best_times": best.frequency,
        "best_score": best.score,
    }
    if chosen == best:
        return Verdict(False, facts, "winner")
    if chosen.frequency > best.frequency and chosen.score >= best.score:
        return Verdict(False, facts, "tied")
    return Verdict(chosen.frequency > best.frequency, facts)


def a_beaten_pair(view: VocabularyView, values: Values) -> Patch | None:
    """From this step on, then from the first."""
    training = view.training
    if training.rule != "score":
        training = vocabulary_view(view.text, "score", view.ties).training
    start = min(step_of(training, values), max(0, len(training.merges) - 1))
    for step in (*range(start, len(training.merges)), *range(start)):
        candidates = training.merges[step].candidates
        for number, candidate in enumerate(candidates):
            if candidate.frequency > candidates[0].frequency and candidate.score < candidates[0].score:
                return {"rule": "score", "step": step, "pair": number}
    return None


SMALL = {"sample": EXAMPLE, "step": None, "pair": None}
EXERCISES = (Exercise("whole", whole_now, to_the_first_whole, SMALL), Exercise("beaten", beaten, a_beaten_pair, SMALL))
