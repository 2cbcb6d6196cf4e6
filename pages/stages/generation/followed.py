"""The number being followed: the probability of the selected token."""

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.shared.words.numbers import exact, short
from pages.stages.generation.context import StageContext


def followed(context: StageContext) -> Followed:
    t = context.t
    if not context.steps:
        if context.veiled:
            return hidden(t, "none", "")
        return Followed("none", t("follow"), "", "–", note=t("follow_none"))
    step, run = context.step, context.run(context.place)
    id, where = f"{context.place}/{step.id}", t("follow_where", word=context.word(step), before=context.before)
    if context.goes_on or run is None:
        note = t("follow_later" if context.goes_on else "not_typed")
        return Followed(id, t("follow"), where, short(step.probability), exact(step.probability), note=note)
    return number(context, Cell(LIKELY, (context.given + context.place - 1, step.id)), id, where, given=run)
