"""The page as a few lines of Python."""

from core.model.places import attention_at
from pages.shared.page.notebook import Repeat
from pages.stages.heads.followed import followed
from pages.stages.heads.look import Look


def repeat(look: Look) -> Repeat:
    tap = attention_at(look.kind, look.layer - 1).tap("weights")
    return Repeat(matrix=f"matrix = run[{tap!r}][{look.head - 1}]", followed=followed(look))
