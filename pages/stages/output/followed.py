"""The number being followed: the share of one word."""

from core.figures.followed import Followed
from pages.shared.number.follow import hidden, number
from pages.stages.output.context import StageContext, likely, logit


def followed(context: StageContext) -> Followed:
    names = {"given": context.given, "depth": depth_name(context)}
    if context.hidden:
        return hidden(context.t, "veiled", context.t("follow_open", **names))
    word = context.selected
    id = f"{context.row}/{context.layer}/{word}/{context.values['temperature']}"
    where = context.t("follow_where", word=context.piece(word), **names)
    return number(
        context,
        likely(context, context.depth, word, context.temperature),
        id,
        where,
        logit(context, context.depth, word),
    )


def depth_name(context: StageContext) -> str:
    if not context.layers:
        return context.t("depths.end")
    return context.t("depths.after", layer=context.layer) if context.layer else context.t("depths.entering")
