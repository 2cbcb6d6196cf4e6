"""The number being followed: one dimension of one position."""

from dataclasses import replace

import numpy as np

from core.derivation.position import derive_cell
from core.figures.followed import Followed, Line
from pages.shared.number.follow import headed
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.position.context import TAP, StageContext
from pages.stages.position.parts import lines


def followed(context: StageContext) -> Followed:
    t, pos, dim, table = context.t, context.pos, context.dim, context.table
    derivation = derive_cell(table, pos, dim)
    steps = lines(t, derivation, "check.table" if table.kind == "sinusoidal" else "check.row", pos=pos)
    if table.kind == context.own_kind and pos < context.tokens:
        steps[-1] = held_against_the_run(context, steps[-1])
    token = f"{context.page.name(pos)} · " if pos < context.tokens else ""
    where = token + t("follow_cell", position=pos, dim=dim)
    return headed(t, f"{table.kind}/{pos}/{dim}", where, derivation, steps)


@cached.shared
def added_to(name: str, text: str) -> np.ndarray:
    """[token, d_model]: the positions, as they were captured."""
    return cached.capture(name, text, only=(TAP,))[TAP]


def held_against_the_run(context: StageContext, last: Line) -> Line:
    """The model added this very number: what it captured is a second thing to hold it against."""
    added = added_to(*context.key)
    difference = short(
        abs(float(context.table.rows[context.pos, context.dim]) - float(added[context.pos, context.dim]))
    )
    return replace(last, check=last.check + context.t("check.tap", difference=difference))
