"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.circuits.context import StageContext
from pages.stages.circuits.followed import followed


def repeat(context: StageContext) -> Repeat:
    found = context.view.found
    return Repeat(
        matrix=f"""from core.views.circuits import contributions

found = contributions(run, model, {found.token}, {found.word}, {found.against})
matrix = found.values[:, None]""",
        followed=followed(context),
    )
