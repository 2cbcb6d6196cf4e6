"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.overview.followed import followed
from pages.stages.overview.look import Look


def repeat(look: Look) -> Repeat:
    return Repeat(
        matrix=f"""from core.views.overview import overview_view

view = overview_view(run, model)
matrix = view.depths[{look.depth}].states""",
        followed=followed(look),
    )
