"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.training.contest_followed import followed as contest_followed
from pages.stages.training.context import StageContext
from pages.stages.training.followed import followed


def repeat(context: StageContext) -> Repeat:
    return of_contest(context) if context.values["section"] == "contest" else of_descent(context)


def of_descent(context: StageContext) -> Repeat:
    """The weight, its loss and its gradient, before the first step and after each."""
    return Repeat(
        matrix=f"""from core.derivation.training import derive_step
from core.views.descent import STEPS, descend

descent = descend({context.descent.rate!r})
matrix = [*zip(descent.weights, descent.losses, descent.gradients)][: STEPS + 1]""",
        followed=followed(context),
        number=f"made = derive_step(descent, {context.made})",
        columns=("weight", "loss", "gradient"),
    )


def of_contest(context: StageContext) -> Repeat:
    """The curves as they were recorded; the first of every run is what no step has been taken for."""
    return Repeat(
        matrix=f"""from core.derivation.training import derive_loss
from core.training import recorded

runs = recorded.family({context.family.name!r})
curve = lambda run: [[np.nan, np.nan], *zip(run.loss, run.gradient)]
matrix = [pair for run in runs.values() for pair in curve(run)]""",
        followed=contest_followed(context),
        number=f"made = derive_loss(runs[{context.id!r}], {context.step})",
        columns=("loss", "gradient"),
    )
