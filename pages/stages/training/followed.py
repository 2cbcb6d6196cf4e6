"""What is followed: the weight after one more step, by the chain rule; and a recorded loss, in the contest."""

from core.derivation.training import derive_step
from core.figures.followed import Followed, Line
from core.training.runs import Setting
from core.training.tasks import END, batch
from core.views.descent import Descent
from pages.shared.number import follow
from pages.shared.number.step_lines import lines
from pages.shared.words.numbers import exact, short
from pages.shared.words.texts import Texts
from pages.stages.training.context import StageContext


def followed(context: StageContext) -> Followed:
    t, descent, made = context.t, context.descent, context.made
    facts = {"step": made + 1, "before": float(descent.losses[made]), "after": float(descent.losses[made + 1])}
    id, where = f"{descent.rate:g}/{made}", t("step_where", **facts)
    if context.covered:
        return what_a_step_is_made_from(t, id, descent)
    derivation = derive_step(descent, made)
    return follow.headed(t, id, where, derivation, lines(t, derivation, "stepped", labels=places()))


def what_a_step_is_made_from(t: Texts, id: str, descent: Descent) -> Followed:
    """While it is asked where the step goes: the gradient, which the question names, and the rest, but no step."""
    gradient = float(descent.gradients[0])
    steps = [
        Line(t("given.gradient"), short(gradient), exact(gradient), reason=t("given.how")),
        Line(t("given.weight"), short(float(descent.weights[0]))),
        Line(t("given.rate"), short(descent.rate)),
        Line(t("given.next"), "?"),
    ]
    note = t("veiled_step")
    return Followed(id, t("follow"), t("given.where"), short(gradient), exact(gradient), steps, note=note)


def places() -> tuple[str, ...]:
    """The tokens asked for, each with the line it stands in: forty two → ▪."""
    setting = Setting()
    found: list[str] = []
    for line in batch(setting.task, setting.seed, 1, setting.batch):
        written = (*line.answer, END)
        found += [f"{' '.join(written[:i])} → {word}".strip() for i, word in enumerate(written)]
    return tuple(found)
