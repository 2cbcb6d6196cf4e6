"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.output.followed import followed
from pages.stages.output.look import Look


def repeat(look: Look) -> Repeat:
    depth, row, temperature = look.depth, look.row, look.temperature
    return Repeat(
        matrix=f"""from core.views.output import output_view

view = output_view(run, model)
matrix = np.stack([view.logits({depth}, {row}), view.shares({depth}, {row}, {temperature})], axis=1)""",
        followed=followed(look),
    )
