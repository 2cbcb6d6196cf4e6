"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.generation.context import StageContext
from pages.stages.generation.followed import followed


def repeat(context: StageContext) -> Repeat:
    view = context.view
    return Repeat(
        matrix=f"""from core.views.generation import generation_view
from core.writing import Sampling

view = generation_view(model, text, {view.sampling!r}, asked={view.chat})
steps = [view.writing[i] for i in range({len(context.steps)})]
matrix = [[step.id, step.probability] for step in steps]""",
        columns=("id", "probability"),
        followed=followed(context),
    )
