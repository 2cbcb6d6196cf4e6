"""How a gradient is obtained: by trying, by the chain rule, and for every weight at once by going backwards."""

from core.views.descent import Nudge, nudges
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.training.context import USUAL, StageContext
from pages.stages.training.picture import named


@cached.once
def tried() -> tuple[Nudge, ...]:
    return nudges()


def draw(context: StageContext) -> None:
    t, descent = context.t, context.view.of[USUAL]
    write(heading(t, "gradient"), paragraph(t, "gradient.said", weight=named(descent)))
    if context.covered:
        return write(f"<p class='soft'>{t.html('gradient.covered')}</p>")
    rows = [[f"{nudge.h:g}", nudge.down, nudge.up, nudge.slope] for nudge in tried()]
    write(table(rows, [t(f"gradient.{name}") for name in ("h", "down", "up", "slope")]))
    count = grouped(descent.parameters)
    passes = grouped(2 * descent.parameters)
    facts = {"gradient": float(descent.gradients[0]), "parameters": count, "passes": passes}
    write(paragraph(t, "gradient.tried", **facts), paragraph(t, "gradient.back", **facts))
    door(context.page, "meaning", t("gradient.door"))
