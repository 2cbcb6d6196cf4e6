"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.embedding.followed import followed
from pages.stages.embedding.look import Look


def repeat(look: Look) -> Repeat:
    shown = "view.output" if look.other is None else f"view.pairs({look.kind!r})"
    return Repeat(
        matrix=f"""from core.views.embedding import embedding_view

view = embedding_view(run, model)
matrix = {shown}""",
        followed=followed(look),
    )
