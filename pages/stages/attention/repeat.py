"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.attention.context import StageContext
from pages.stages.attention.followed import followed


def repeat(context: StageContext) -> Repeat:
    layer, head = context.layer - 1, context.head - 1
    return Repeat(
        matrix=f"""from core.views.attention import attention_view

view = attention_view(run, model, {layer}, {context.kind!r})
matrix = view.plane({context.show!r}, {head})""",
        followed=followed(context),
    )
