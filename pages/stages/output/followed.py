"""The number being followed: the share of one word."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.output.look import Look, likely, logit


def followed(look: Look) -> Followed:
    word = look.selected
    id = f"{look.row}/{look.layer}/{word}/{look.values['temperature']}"
    where = look.t("follow_where", word=look.piece(word), given=look.given, depth=depth_name(look))
    if look.hidden:
        return hidden(look.t, id, where)
    return number(look, likely(look, look.depth, word, look.temperature), id, where, logit(look, look.depth, word))


def depth_name(look: Look) -> str:
    if not look.layers:
        return look.t("depths.end")
    return look.t("depths.after", layer=look.layer) if look.layer else look.t("depths.entering")
