"""Who asks and who answers: the two sides of cross-attention."""

from pages.shared.page.parts import Html, heading, paragraphs, table, write
from pages.shared.page.stage import Section
from pages.stages.translation.context import StageContext
from pages.stages.translation.opened import shapes


def draw(context: StageContext) -> None:
    t = context.t
    rows = [
        (Html(f"<b>{letter}</b>"), t(f"asks.{letter}"), Html(f"<code>{name}</code>"), *sized(dims, shape))
        for letter, (name, dims, shape) in zip("QKV", shapes(context, "cross"), strict=False)
    ]
    said = t.html("asks.said", n=len(context.source), m=len(context.given))
    write(heading(t, "asks"), table(rows, kind="prose"), paragraphs([said]))


def sized(dims: tuple[str, ...], shape: tuple[int, ...]) -> tuple[str, str]:
    """What an array's dimensions are called, and how long they are."""
    return " × ".join(dims), " × ".join(map(str, shape))


SECTION = Section(draw, redraws=("layer",))
