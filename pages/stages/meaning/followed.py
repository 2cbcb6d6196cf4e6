"""The cosine that is followed."""

from core.figures.followed import Followed
from core.views.meaning import Word
from pages.shared.number.follow import hidden, number
from pages.stages.meaning.context import StageContext, alike


def row_name(word: Word) -> str:
    """A word by its row, the space that it begins with shown; as it is written where it has no row of its own."""
    return word.text if word.averaged else word.pieces[0]


def followed(context: StageContext) -> Followed:
    t = context.t
    if context.hidden:
        return hidden(t, "veiled", "")
    where = t("follow_where", a=row_name(context.word), b=row_name(context.other))
    return number(context, alike(context.word, context.other), f"{context.of}/{context.to}", where)
