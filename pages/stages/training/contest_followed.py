"""What is followed in the contest: the loss of one step of one run, line by line."""

from core.derivation.training import derive_loss, lines_of
from core.figures.followed import Followed
from core.training.tasks import GIVES, Line
from pages.shared.number import follow
from pages.shared.number.step_lines import lines
from pages.stages.training.context import StageContext


def followed(context: StageContext) -> Followed:
    t, run, step = context.t, context.run, context.step
    id = f"{context.family.name}/{context.id}/{step}"
    where = t("follow_where", step=step, run=context.name(context.id))
    derivation = derive_loss(run, step)
    asked = lines_of(run, step)
    labels = tuple(written(line) for line in asked)
    return follow.headed(t, id, where, derivation, lines(t, derivation, "recounted", labels=labels))


def written(line: Line) -> str:
    """四十二 ⇒ forty two."""
    between = " " if len(line.answer[0]) > 1 else ""
    return f"{''.join(line.question)} {GIVES} {between.join(line.answer)}"
