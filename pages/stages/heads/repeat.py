"""The page as a few lines of Python."""

from core.model.places import attention_at
from pages.shared.page.opened import Repeat
from pages.stages.heads.context import StageContext
from pages.stages.heads.followed import followed


def repeat(context: StageContext) -> Repeat:
    tap = attention_at(context.kind, context.layer - 1).tap("weights")
    return Repeat(matrix=f"matrix = run[{tap!r}][{context.head - 1}]", followed=followed(context))
