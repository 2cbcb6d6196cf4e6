"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.translation.context import StageContext
from pages.stages.translation.followed import followed


def repeat(context: StageContext) -> Repeat:
    tap = f"decoder.{context.layer - 1}.cross_attention.weights"
    return Repeat(matrix=f"print(run.text_out)\nmatrix = run[{tap!r}][{context.head - 1}]", followed=followed(context))
