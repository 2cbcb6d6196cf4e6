"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.position.context import StageContext
from pages.stages.position.followed import followed


def repeat(context: StageContext) -> Repeat:
    return Repeat(
        matrix=f"""from core.derivation.position import derive_cell
from core.views.position import tables

table = tables(model)[{context.table.kind!r}]
matrix = table.rows""",
        followed=followed(context),
        number=f"made = derive_cell(table, {context.pos}, {context.dim})",
    )
