"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.input.followed import followed
from pages.stages.input.look import Look


def repeat(look: Look) -> Repeat:
    view, values = look.view, look.values
    shown = f"view.part({values['part']!r})" if view.added else "view.joined()"
    return Repeat(
        matrix=f"""from core.views.input import input_view

view = input_view(run, model)
matrix = {shown}""",
        followed=followed(look),
    )
