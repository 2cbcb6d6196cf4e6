"""The number being followed."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, number, weight
from pages.stages.attention.context import StageContext


def followed(context: StageContext) -> Followed:
    t, mode, view, (row, column) = context.t, context.show, context.view, context.cell
    names = {
        "row": named(context.row_tokens, row),
        "column": named(view.key_tokens, column) if context.square else column,
        "layer": context.layer,
        "head": context.head,
    }
    where = t("follow_where" if context.square else "follow_where_wide", **names)
    id = f"{context.kind}/{context.layer}/{context.head}/{mode}/{row}/{column}"
    if row in context.veil and (context.square or mode == "context"):  # a context's terms are the row's weights
        return hidden(t, id, where)
    if mode == "weights":
        return weight(context, view, context.head - 1, row, column, id, where)
    return number(context, context.number, id, where)
