"""The number being followed: the weight of the selected cell."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, weight
from pages.shared.server import cached
from pages.stages.translation.look import ID, Look


def followed(look: Look) -> Followed:
    t, cell, keys = look.t, look.cell, look.source if look.cell.kind == "cross" else look.given
    writing = cell.row < len(look.written)
    names = {
        "row": t("writing", word=look.written[cell.row]) if writing else named(look.given, cell.row),
        "column": t("at", token=named(keys, cell.column)),
        "layer": look.layer,
        "head": look.head,
    }
    id, where = f"{cell.kind}/{look.layer}/{look.head}/{cell.row}/{cell.column}", t(f"where.{cell.kind}", **names)
    if cell.row in look.asked.rows and cell.kind == "cross":
        return hidden(t, id, where)
    view = cached.attention(ID, look.text, look.layer, cell.kind)
    return weight(look, view, look.head - 1, cell.row, cell.column, id, where)
