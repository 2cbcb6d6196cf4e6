"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.vocabulary.followed import followed
from pages.stages.vocabulary.look import Look


def repeat(look: Look) -> Repeat:
    at, candidate = look.next, look.candidate
    place = look.training.merges[at].candidates.index(candidate) if candidate else 0
    number = f"""from core.derivation.vocabulary import derive_candidate

candidate = training.merges[{at}].candidates[{place}]
made = derive_candidate(candidate, training.splits({at}), training.words, {look.rule!r})"""
    return Repeat(
        matrix=f"""from core.views.vocabulary import vocabulary_view

training = vocabulary_view({look.text!r}, {look.rule!r}, {look.ties!r}).training
best = [merge.candidates[0] for merge in training.merges]
matrix = [[one.frequency, one.of_left, one.of_right, one.score] for one in best]""",
        followed=followed(look) if candidate else None,
        number=number if candidate else "",
        columns=("frequency", "left_frequency", "right_frequency", "score"),
    )
