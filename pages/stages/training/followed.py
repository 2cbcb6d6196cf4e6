"""What is followed: the weight after one more step, by the chain rule; and a recorded loss, in the contest."""

from dataclasses import replace

from core.derivation.training import derive_step
from core.figures.followed import Followed, Line
from core.training.runs import Setting
from core.training.tasks import END, batch
from core.views.descent import Descent
from pages.shared.number import follow
from pages.shared.number.step_lines import lines
from pages.shared.words.numbers import short
from pages.stages.training.context import StageContext


def followed(context: StageContext) -> Followed:
    t, descent, made = context.t, context.descent, context.made
    facts = {"step": made + 1, "before": float(descent.losses[made]), "after": float(descent.losses[made + 1])}
    id, where = f"{descent.rate:g}/{made}", t("step_where", **facts)
    if context.covered:
        given = [Line(t(f"given.{name}"), short(value)) for name, value in given_to(descent).items()]
        veiled = follow.hidden(t, id, "")
        return replace(veiled, steps=[*veiled.steps, *given, Line(t("given.next"), "?")])
    derivation = derive_step(descent, made)
    return follow.headed(t, id, where, derivation, lines(t, derivation, "stepped", labels=places()))


def given_to(descent: Descent) -> dict[str, float]:
    """What a step is made from."""
    return {"weight": float(descent.weights[0]), "gradient": float(descent.gradients[0]), "rate": descent.rate}


def places() -> tuple[str, ...]:
    """The tokens asked for, each with the line it stands in: forty two → ▪."""
    setting = Setting()
    found: list[str] = []
    for line in batch(setting.task, setting.seed, 1, setting.batch):
        written = (*line.answer, END)
        found += [f"{' '.join(written[:i])} → {word}".strip() for i, word in enumerate(written)]
    return tuple(found)
