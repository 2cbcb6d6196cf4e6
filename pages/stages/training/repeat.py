"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.training.context import StageContext
from pages.stages.training.followed import followed


def repeat(context: StageContext) -> Repeat:
    """The curves as they were recorded; the first of every run is what no step has been taken for."""
    return Repeat(
        matrix=f"""from core.derivation.training import derive_loss
from core.training import recorded

runs = recorded.family({context.view.name!r})
curve = lambda run: [[np.nan, np.nan], *zip(run.loss, run.gradient)]
matrix = [pair for run in runs.values() for pair in curve(run)]""",
        followed=followed(context),
        number=f"made = derive_loss(runs[{context.id!r}], {context.step})",
        columns=("loss", "gradient"),
    )
