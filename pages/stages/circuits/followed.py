"""The number being followed: what one part adds, or the whole sum."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.circuits.look import Look


def followed(look: Look) -> Followed:
    found, i = look.view.found, look.selected
    name = look.whole if i is None else look.name(found.parts[i])
    word = look.word if look.against is None else f"{look.word} − {look.against}"
    where = look.t("follow_where", name=name, word=word)
    id = f"{look.token}/{found.word}/{found.against}/{i}"
    if look.veiled:
        return hidden(look.t, id, look.t("follow_open"))
    return number(look, look.source(i), id, where)
