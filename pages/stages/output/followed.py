"""The number being followed: the share of one word."""

from core.derivation.output import derive
from core.figures.followed import Followed
from pages.shared.follow import headed, hidden, lines
from pages.stages.output.look import Look, piece


def followed(look: Look) -> Followed:
    t, word = look.t, look.selected
    names = {"word": piece(word), "given": look.given, "depth": depth_name(look), "id": word}
    id = f"{look.row}/{look.layer}/{word}/{look.values['temperature']}"
    where = t("follow_where", **names)
    if look.hidden:
        return hidden(t, id, where)
    derivation = derive(look.view, look.depth, look.row, word, look.temperature, called=piece)
    check = "recomputed" if derivation.cell else "ran_again"
    return headed(t, id, where, derivation, lines(t, derivation, check, **names))


def depth_name(look: Look) -> str:
    return look.t("depths.after", layer=look.layer) if look.layer else look.t("depths.entering")
