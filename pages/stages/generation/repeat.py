"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.generation.followed import followed
from pages.stages.generation.look import Look


def repeat(look: Look) -> Repeat:
    view = look.view
    return Repeat(
        matrix=f"""from core.views.generation import generation_view
from core.writing import Sampling

view = generation_view(model, text, {view.sampling!r}, asked={view.chat})
steps = [view.writing[i] for i in range({len(look.steps)})]
matrix = [[step.id, step.probability] for step in steps]""",
        columns=("id", "probability"),
        followed=followed(look),
    )
