"""The number being followed: the share of one word."""

from dataclasses import replace

from core.figures.followed import Followed, Line
from pages.shared.number.follow import hidden, number
from pages.stages.output.context import StageContext, likely, logit
from pages.stages.output.picture import example_of


def followed(context: StageContext) -> Followed:
    names = {"given": context.given, "depth": depth_name(context)}
    if context.hidden:
        return while_asked(context, names)
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


def while_asked(context: StageContext, names: dict[str, str]) -> Followed:
    """How a score and a probability are made; the score of the row that is worked out in the picture."""
    t, example = context.t, example_of(context)
    how = hidden(t, "veiled", t("follow_open", **names))
    if example is None:
        return how
    where = t("follow_score", word=context.piece(example), **names)
    score = number(context, logit(context, context.depth, example), "veiled", where)
    last = how.steps[-1]
    return replace(score, steps=[*score.steps, Line(last.operation, "?", reason=str(last.value))], note=how.note)


def depth_name(context: StageContext) -> str:
    if not context.layers:
        return context.t("depths.end")
    return context.t("depths.after", layer=context.layer) if context.layer else context.t("depths.entering")
