"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.tokens.context import StageContext


def repeat(context: StageContext) -> Repeat:
    return Repeat(
        matrix="""for token in run.tokens:
    print(f"{token.text!r:20} {token.id}")

matrix = [[token.id, token.start, token.end] for token in run.tokens]""",
        columns=("id", "start", "end"),
    )
