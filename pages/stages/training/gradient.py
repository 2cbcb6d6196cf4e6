"""How a gradient is obtained: by trying, by the chain rule, and for every weight at once by going backwards."""

from itertools import takewhile

from core.views.descent import Nudge, nudges
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import Html, grouped
from pages.stages.training.context import USUAL, StageContext
from pages.stages.training.picture import named

LONG = 330  # pixels of the gradient's bar


@cached.once
def tried() -> tuple[Nudge, ...]:
    return nudges()


def written(slope: float) -> str:
    return f"{slope:.7f}"


def quotient(slope: float, gradient: float) -> Html:
    """With those of its digits that are the gradient's, and its bar, past which a line says where the gradient is."""
    digits = written(slope)
    pairs = zip(digits, written(gradient), strict=False)
    same = "".join(digit for digit, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    bar = f"<i style='--long:{LONG * slope / gradient:.1f};--most:{LONG}'></i>"
    return Html(f"<span class='amount'><b>{same}</b>{digits[len(same) :]}</span>{bar}")


def draw(context: StageContext) -> None:
    t, descent = context.t, context.view.of[USUAL]
    write(heading(t, "gradient"), paragraph(t, "gradient.said", weight=named(descent)))
    if context.covered:
        return write(f"<p class='soft'>{t.html('gradient.covered')}</p>")
    gradient = float(descent.gradients[0])
    rows = [(f"δ = {nudge.h:g}", divided(nudge), quotient(nudge.slope, gradient)) for nudge in tried()]
    known = (t("gradient.name"), "", quotient(gradient, gradient))
    write(table([*rows, known], ["", t("gradient.divided"), t("gradient.quotient")], "nudges"))
    count = grouped(descent.parameters)
    facts = {"parameters": count, "passes": grouped(2 * descent.parameters)}
    write(paragraph(t, "gradient.tried", **facts), paragraph(t, "gradient.back"))
    door(context.page, "meaning", t("gradient.door"))


def divided(nudge: Nudge) -> Html:
    """As many digits as the quotient needs."""
    return Html(f"{nudge.up - nudge.down:.8g} ÷ {2 * nudge.h:g}")
