"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.attention.followed import followed
from pages.stages.attention.look import Look


def repeat(look: Look) -> Repeat:
    layer, head = look.layer - 1, look.head - 1
    return Repeat(
        matrix=f"""from core.views.attention import attention_view

view = attention_view(run, model, {layer}, {look.kind!r})
matrix = view.plane({look.show!r}, {head})""",
        followed=followed(look),
    )
