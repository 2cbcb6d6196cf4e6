"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.translation.followed import followed
from pages.stages.translation.look import Look


def repeat(look: Look) -> Repeat:
    tap = f"decoder.{look.layer - 1}.cross_attention.weights"
    return Repeat(matrix=f"print(run.text_out)\nmatrix = run[{tap!r}][{look.head - 1}]", followed=followed(look))
