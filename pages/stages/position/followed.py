"""The number being followed: one dimension of one position."""

from dataclasses import replace

import numpy as np

from core.derivation.position import derive_cell
from core.figures.followed import Followed, Line
from pages.shared.number.follow import headed
from pages.shared.server import cached
from pages.shared.words.numbers import short
from pages.stages.position.look import TAP, Look
from pages.stages.position.parts import lines


def followed(look: Look) -> Followed:
    t, pos, dim, table = look.t, look.pos, look.dim, look.table
    derivation = derive_cell(table, pos, dim)
    steps = lines(t, derivation, "check.table" if table.kind == "sinusoidal" else "check.row", pos=pos)
    if table.kind == look.own_kind and pos < look.tokens:
        steps[-1] = held_against_the_run(look, steps[-1])
    token = f"{look.page.name(pos)} · " if pos < look.tokens else ""
    where = token + t("follow_cell", position=pos, dim=dim)
    return headed(t, f"{table.kind}/{pos}/{dim}", where, derivation, steps)


@cached.shared
def added_to(name: str, text: str) -> np.ndarray:
    """[token, d_model]: the positions, as they were captured."""
    return cached.capture(name, text, only=(TAP,))[TAP]


def held_against_the_run(look: Look, last: Line) -> Line:
    """The model added this very number: what it captured is a second thing to hold it against."""
    added = added_to(*look.key)
    difference = short(abs(float(look.table.rows[look.pos, look.dim]) - float(added[look.pos, look.dim])))
    return replace(last, check=last.check + look.t("check.tap", difference=difference))
