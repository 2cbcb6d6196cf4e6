"""The number being followed."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, number, weight
from pages.stages.attention.look import Look


def followed(look: Look) -> Followed:
    t, mode, view, (row, column) = look.t, look.show, look.view, look.cell
    names = {
        "row": named(look.row_tokens, row),
        "column": named(view.key_tokens, column) if look.square else column,
        "layer": look.layer,
        "head": look.head,
    }
    where = t("follow_where" if look.square else "follow_where_wide", **names)
    id = f"{look.kind}/{look.layer}/{look.head}/{mode}/{row}/{column}"
    if row in look.veil and (look.square or mode == "context"):  # a context's terms are the row's weights
        return hidden(t, id, where)
    if mode == "weights":
        return weight(look, view, look.head - 1, row, column, id, where)
    return number(look, look.number, id, where)
