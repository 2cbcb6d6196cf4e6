"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.output.context import StageContext
from pages.stages.output.followed import followed


def repeat(context: StageContext) -> Repeat:
    depth, row, temperature = context.depth, context.row, context.temperature
    return Repeat(
        matrix=f"""from core.views.output import output_view

view = output_view(run, model)
matrix = np.stack([view.logits({depth}, {row}), view.shares({depth}, {row}, {temperature})], axis=1)""",
        followed=followed(context),
    )
