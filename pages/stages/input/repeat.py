"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.input.context import StageContext
from pages.stages.input.followed import followed


def repeat(context: StageContext) -> Repeat:
    view, values = context.view, context.values
    shown = f"view.part({values['part']!r})" if view.added else "view.joined()"
    return Repeat(
        matrix=f"""from core.views.input import input_view

view = input_view(run, model)
matrix = {shown}""",
        followed=followed(context),
    )
