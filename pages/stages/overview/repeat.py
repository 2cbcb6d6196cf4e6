"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.overview.context import StageContext
from pages.stages.overview.followed import followed


def repeat(context: StageContext) -> Repeat:
    return Repeat(
        matrix=f"""from core.views.overview import overview_view

view = overview_view(run, model)
matrix = view.depths[{context.depth}].states""",
        followed=followed(context),
    )
