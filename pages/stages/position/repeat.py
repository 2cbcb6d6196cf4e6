"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.position.followed import followed
from pages.stages.position.look import Look


def repeat(look: Look) -> Repeat:
    return Repeat(
        matrix=f"""from core.derivation.position import derive_cell
from core.views.position import tables

table = tables(model)[{look.table.kind!r}]
matrix = table.rows""",
        followed=followed(look),
        number=f"made = derive_cell(table, {look.pos}, {look.dim})",
    )
