"""The number being followed: the cosine of two tokens' states at one depth."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.overview.look import Look


def followed(look: Look) -> Followed:
    t, depth, (one, other) = look.t, look.depth, look.pair
    id = f"{depth}/{one}/{other}"
    where = t("where", depth=look.title(look.view.depths[depth]), first=look.name(one), second=look.name(other))
    if look.hidden(depth):
        return hidden(t, id, where)
    return number(look, look.cosine(depth, one, other), id, where)
