"""The number being followed: one weight of one head, as the model is or as it was changed."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, weight
from pages.stages.heads.context import StageContext


def followed(context: StageContext) -> Followed:
    t, heads, (q, k) = context.t, context.heads, context.cell
    row, column = named(heads.tokens, q), named(heads.key_tokens, k)
    where = t("follow_where", row=row, column=column, layer=context.layer, head=context.head)
    id = f"{context.kind}/{context.layer}/{context.head}/weights/{q}/{k}"
    if q in context.veil:
        return hidden(t, id, where)
    return weight(context, context.attention(), context.head - 1, q, k, id, where)
