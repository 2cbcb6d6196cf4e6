"""The number being followed: one weight of one head, as the model is or as it was changed."""

from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import hidden, weight
from pages.stages.heads.look import Look


def followed(look: Look) -> Followed:
    t, heads, (q, k) = look.t, look.heads, look.cell
    row, column = named(heads.tokens, q), named(heads.key_tokens, k)
    where = t("follow_where", row=row, column=column, layer=look.layer, head=look.head)
    id = f"{look.kind}/{look.layer}/{look.head}/weights/{q}/{k}"
    if q in look.veil:
        return hidden(t, id, where)
    return weight(look, look.attention(), look.head - 1, q, k, id, where)
