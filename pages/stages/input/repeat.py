"""The page as a few lines of Python."""

from pages.shared.notebook import Repeat
from pages.stages.input.followed import followed, part_of
from pages.stages.input.look import Look


def repeat(look: Look) -> Repeat:
    """A pair beyond dropout has no number here: its mask is the page's own."""
    view, values = look.view, look.values
    shown = f"view.part({values['part']!r})" if view.added else "view.joined()"
    number = ""
    if values["k"] is None:
        number = f"made = derive_cell(view, {part_of(look)!r}, {look.selected}, {values['dim']})"
    return Repeat(
        matrix=f"""from core.derivation.input import derive_cell
from core.views.input import input_view

view = input_view(run, model)
matrix = {shown}""",
        followed=followed(look),
        number=number,
    )
