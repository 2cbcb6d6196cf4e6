"""From a network that writes on to one that answers: what is done to today's models, and what of it is seen here."""

from pages.shared.page.parts import Html, door, heading, paragraph, write
from pages.shared.words.papers import linked
from pages.stages.training.context import StageContext

STAGES = ("pretraining", "tuning", "preference", "reasoning")
PARTS = ("given", "learns")
PASSED = STAGES[:3]  # by the chat model here


def draw(context: StageContext) -> None:
    t = context.t
    stops = "".join(stop(context, stage) for stage in STAGES)
    write(heading(t, "chat"), paragraph(t, "chat.said"), f"<ol class='stops'>{stops}</ol>")
    write(
        paragraph(t, "chat.here", model=Html(t.html("chat.model.source"))),
        paragraph(t, "chat.missing"),
        paragraph(t, "chat.true"),
    )
    door(context.page, "generation", t("chat.door"))


def stop(context: StageContext, stage: str) -> str:
    """One stage of a chat model's training, full where the model here went through it."""
    t = context.t
    said = "".join(f"<p><i>{t.html(f'chat.{part}')}</i> {t.html(f'chat.{stage}.{part}')}</p>" for part in PARTS)
    source = linked(t.html(f"chat.{stage}.source"))
    passed = " class='passed'" if stage in PASSED else ""
    return f"<li{passed}><b>{t.html(f'chat.{stage}.name')}</b>{said}<p>{source}</p></li>"
