"""From a network that writes on to one that answers: what is done to today's models, and what of it is seen here."""

from pages.shared.page.parts import Html, door, heading, paragraph, table, write
from pages.shared.words.papers import linked
from pages.stages.training.context import StageContext

STAGES = ("pretraining", "tuning", "preference", "reasoning")


def draw(context: StageContext) -> None:
    t = context.t
    cells = [[t.html(f"chat.{stage}.{cell}") for cell in ("name", "given", "learns", "source")] for stage in STAGES]
    rows = [[*row[:-1], Html(linked(row[-1]))] for row in cells]
    head = [t(f"chat.{name}") for name in ("step", "given", "learns", "source")]
    write(heading(t, "chat"), paragraph(t, "chat.said"), table(rows, head, "prose"))
    write(
        paragraph(t, "chat.here", model=Html(t.html("chat.model.source"))),
        paragraph(t, "chat.missing"),
        paragraph(t, "chat.true"),
    )
    door(context.page, "generation", t("chat.door"))
