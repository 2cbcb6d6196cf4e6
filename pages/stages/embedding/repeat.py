"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.embedding.context import StageContext
from pages.stages.embedding.followed import followed


def repeat(context: StageContext) -> Repeat:
    shown = "view.output" if context.other is None else f"view.pairs({context.kind!r})"
    return Repeat(
        matrix=f"""from core.views.embedding import embedding_view

view = embedding_view(run, model)
matrix = {shown}""",
        followed=followed(context),
    )
