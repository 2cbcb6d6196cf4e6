"""The cosine that is followed."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.meaning.context import StageContext, alike


def followed(context: StageContext) -> Followed:
    t = context.t
    if context.hidden:
        return hidden(t, "veiled", "")
    where = t("follow_where", a=context.word.name, b=context.other.name)
    return number(context, alike(context.word, context.other), f"{context.of}/{context.to}", where)
