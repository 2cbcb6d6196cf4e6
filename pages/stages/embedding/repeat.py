"""The page as a few lines of Python."""

from pages.shared.notebook import Repeat
from pages.stages.embedding.followed import followed
from pages.stages.embedding.look import Look


def repeat(look: Look) -> Repeat:
    shown = "view.output" if look.other is None else f"view.pairs({look.kind!r})"
    return Repeat(
        matrix=f"""from core.derivation.embedding import derive_cell, derive_entry, derive_pair
from core.views.embedding import embedding_view

view = embedding_view(run, model)
matrix = {shown}""",
        followed=followed(look),
        number=f"made = {number(look)}",
    )


def number(look: Look) -> str:
    if look.other is not None:
        return f"derive_pair(view, {look.kind!r}, {look.position}, {look.other})"
    if look.row is not None:
        return f"derive_entry(view, {look.row}, {look.dim})"
    return f"derive_cell(view, {look.position}, {look.dim})"
