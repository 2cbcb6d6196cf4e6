"""The number being followed: the cosine of two tokens' states at one depth."""

from core.derivation.overview import derive
from core.figures.followed import Followed
from pages.shared.follow import headed, hidden, lines
from pages.stages.overview.look import Look


def followed(look: Look) -> Followed:
    t, depth, (one, other) = look.t, look.depth, look.pair
    names = {"first": look.name(one), "second": look.name(other)}
    id = f"{depth}/{one}/{other}"
    where = t("where", depth=look.title(look.view.depths[depth]), **names)
    if look.hidden(depth):
        return hidden(t, id, where)
    derivation = derive(look.view, depth, one, other)
    return headed(t, id, where, derivation, lines(t, derivation, **names))
