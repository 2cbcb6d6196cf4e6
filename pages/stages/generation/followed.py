"""The number being followed: the probability of the selected token."""

from dataclasses import replace

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.figures.followed import Followed
from core.writing import Step
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
    made = number(context, Cell(LIKELY, (context.given + context.place - 1, step.id)), id, where, given=run)
    return replace(made, note=of_the_line(context, step))


def of_the_line(context: StageContext, step: Step) -> str:
    """What share it had of the line that was drawn on, where the rules have made that another one."""
    if step.point is None or step.id not in step.ids:
        return ""
    share = step.shares[step.ids.index(step.id)]
    same = short(share) == short(step.probability)
    return "" if same else context.t("follow_drawn", share=share, point=step.point)
