"""The cosine that is followed."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.meaning.look import Look, alike


def followed(look: Look) -> Followed:
    t = look.t
    if look.hidden:
        return hidden(t, "veiled", "")
    where = t("follow_where", a=look.of, b=look.other.text)
    return number(look, alike(look.word, look.other), f"{look.of}/{look.to}", where)
