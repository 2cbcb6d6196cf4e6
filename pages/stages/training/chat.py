"""From a network that writes on to one that answers: what is done to today's models, and what of it is seen here."""

from pages.shared.page.parts import Html, door, heading, paragraph, table, write
from pages.stages.training.context import StageContext

STAGES = ("pretraining", "tuning", "preference", "reasoning")


def draw(context: StageContext) -> None:
    t = context.t
    rows = [[t(f"chat.{stage}.{cell}") for cell in ("name", "given", "learns")] for stage in STAGES]
    head = [t(f"chat.{name}") for name in ("step", "given", "learns")]
    write(heading(t, "chat"), paragraph(t, "chat.said"), table(rows, head, "prose"))
    papers = {name: Html(t.html(f"chat.{name}.source")) for name in (*STAGES, "model")}
    write(
        paragraph(t, "chat.here", model=papers["model"]),
        paragraph(t, "chat.missing", **papers),
        paragraph(t, "chat.true"),
    )
    door(context.page, "generation", t("chat.door"))
