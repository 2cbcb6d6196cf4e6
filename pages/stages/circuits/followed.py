"""The number being followed: what one part adds, or the whole sum."""

from core.figures.followed import Followed
from pages.shared.number.follow import number
from pages.stages.circuits.context import StageContext


def followed(context: StageContext) -> Followed:
    found, i = context.view.found, context.unasked if context.veiled else context.selected
    name = context.whole if i is None else context.name(found.parts[i])
    word = context.word if context.against is None else f"{context.word} − {context.against}"
    where = context.t("follow_where", name=name, word=word)
    id = f"{context.token}/{found.word}/{found.against}/{i}"
    return number(context, context.source(i), id, where)
