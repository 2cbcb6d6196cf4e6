"""The number being followed: the probability of the selected token."""

from core.derivation import Cell
from core.derivation.measures.words import LIKELY
from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.shared.words.numbers import exact, short
from pages.stages.generation.look import Look


def followed(look: Look) -> Followed:
    t = look.t
    if not look.steps:
        if look.veiled:
            return hidden(t, "none", "")
        return Followed("none", t("follow"), "", "–", note=t("follow_none"))
    step, run = look.step, look.run(look.place)
    id, where = f"{look.place}/{step.id}", t("follow_where", word=look.word(step), before=look.before)
    if look.goes_on or run is None:
        note = t("follow_later" if look.goes_on else "not_typed")
        return Followed(id, t("follow"), where, short(step.probability), exact(step.probability), note=note)
    return number(look, Cell(LIKELY, (look.given + look.place - 1, step.id)), id, where, given=run)
