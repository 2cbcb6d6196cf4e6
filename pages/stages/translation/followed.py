"""The number being followed: the weight of the selected cell."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, weight
from pages.shared.server import cached
from pages.stages.translation.context import ID, StageContext


def followed(context: StageContext) -> Followed:
    t, cell, keys = context.t, context.cell, context.source if context.cell.kind == "cross" else context.given
    writing = cell.row < len(context.written)
    names = {
        "row": t("writing", word=context.written[cell.row]) if writing else named(context.given, cell.row),
        "column": t("at", token=named(keys, cell.column)),
        "layer": context.layer,
        "head": context.head,
    }
    id, where = f"{cell.kind}/{context.layer}/{context.head}/{cell.row}/{cell.column}", t(f"where.{cell.kind}", **names)
    if cell.row in context.asked.rows and cell.kind == "cross":
        return hidden(t, id, where)
    view = cached.attention(ID, context.text, context.layer, cell.kind)
    return weight(context, view, context.head - 1, cell.row, cell.column, id, where)
