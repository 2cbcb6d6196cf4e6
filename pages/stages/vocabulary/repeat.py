"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.vocabulary.context import StageContext
from pages.stages.vocabulary.followed import followed


def repeat(context: StageContext) -> Repeat:
    at, candidate = context.next, context.candidate
    place = context.training.merges[at].candidates.index(candidate) if candidate else 0
    number = f"""from core.derivation.vocabulary import derive_candidate

candidate = training.merges[{at}].candidates[{place}]
made = derive_candidate(candidate, training.splits({at}), training.words, {context.rule!r})"""
    return Repeat(
        matrix=f"""from core.views.vocabulary import vocabulary_view

training = vocabulary_view({context.text!r}, {context.rule!r}, {context.ties!r}).training
best = [merge.candidates[0] for merge in training.merges]
matrix = [[one.frequency, one.of_left, one.of_right, one.score] for one in best]""",
        followed=followed(context) if candidate else None,
        number=number if candidate else "",
        columns=("frequency", "left_frequency", "right_frequency", "score"),
    )
