"""The number being followed: how much the selected sub-layer writes onto the selected token's stream."""

from core.derivation import Cell, Measure
from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.encoder.context import StageContext


def followed(context: StageContext) -> Followed:
    t, place, at = context.t, context.place, context.token_of(context.stack)
    names = {"token": context.token, "part": t(f"parts.{place.part}"), "layer": context.layer}
    id, where = f"{place}/{at}", t("follow_where", stack=t(f"stacks.{context.stack}"), **names)
    if context.hidden:
        return hidden(t, id, where)
    written, before = (Cell(place.tap(word), (at, None)) for word in ("output", "skip"))
    return number(context, Measure("ratio", (written, before)), id, where)
