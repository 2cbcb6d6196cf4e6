"""The number being followed: the cosine of two tokens' states at one depth."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.overview.context import StageContext


def followed(context: StageContext) -> Followed:
    t, depth, (one, other) = context.t, context.depth, context.pair
    id = f"{depth}/{one}/{other}"
    where = t(
        "where", depth=context.title(context.view.depths[depth]), first=context.name(one), second=context.name(other)
    )
    if context.hidden(depth):
        return hidden(t, id, where)
    return number(context, context.cosine(depth, one, other), id, where)
