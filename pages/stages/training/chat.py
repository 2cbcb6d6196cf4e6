"""From a network that writes on to one that answers: what is done to today's models, and what of it is seen here."""

from pages.shared.page.parts import Html, door, heading, paragraph, table, write
from pages.stages.training.context import StageContext

PAPERS = {
    "pretraining": "https://arxiv.org/abs/2005.14165",
    "tuning": "https://arxiv.org/abs/2203.02155",
    "preference": "https://arxiv.org/abs/2305.18290",
    "reasoning": "https://arxiv.org/abs/2501.12948",
    "model": "https://arxiv.org/abs/2502.02737",
}
STAGES = ("pretraining", "tuning", "preference", "reasoning")


def draw(context: StageContext) -> None:
    t = context.t
    rows = [[t(f"chat.{stage}.{cell}") for cell in ("name", "given", "learns")] for stage in STAGES]
    head = [t(f"chat.{name}") for name in ("step", "given", "learns")]
    write(heading(t, "chat"), paragraph(t, "chat.said"), table(rows, head))
    papers = {name: Html(f"<a href='{url}'>{t.html(f'chat.{name}.source')}</a>") for name, url in PAPERS.items()}
    write(
        paragraph(t, "chat.here", model=papers["model"]),
        paragraph(t, "chat.missing", **papers),
        paragraph(t, "chat.true"),
    )
    door(context.page, "generation", t("chat.door"))
