"""How a gradient is obtained: by trying, by the chain rule, and for every weight at once by going backwards."""

import numpy as np
import streamlit as st

from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.views.descent import Nudge, nudges
from pages.shared.page.parts import door, heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import Html, grouped
from pages.shared.words.texts import Texts
from pages.stages.training.context import USUAL, StageContext
from pages.stages.training.picture import named


@cached.once
def tried() -> tuple[Nudge, ...]:
    return nudges()


def drawn(t: Texts, nudge: Nudge) -> Curves:
    """The loss between the two nudges, and the straight line from one end to the other."""
    count = len(nudge.losses)
    straight = np.linspace(nudge.down, nudge.up, count)
    words = CurvesWords(t("gradient.label", h=f"{nudge.h:g}"))
    along = Along(count, t("gradient.moved"), from_=-nudge.h, step=2 * nudge.h / (count - 1))
    series = [Series(look="second"), Series(t("recorded.loss_name"))]
    marks = [
        Mark(-nudge.h, nudge.down, f"{nudge.down:.4g}", below=True),
        Mark(nudge.h, nudge.up, f"{nudge.up:.4g}", "end"),
    ]
    values = [line.astype(np.float32) for line in (straight, nudge.losses)]
    room = (nudge.up - nudge.down) / 5  # for what is said at both ends
    up = Upwards(nudge.down - room, nudge.up + room)
    return Curves(along, up, series, values, words, 200, marks=marks)


def quotient(t: Texts, nudge: Nudge) -> Html:
    ends = {"down": f"{nudge.down:.7f}", "up": f"{nudge.up:.7f}"}  # of near ones, four digits would be the same
    return Html(t.html("gradient.quotient", **ends, slope=nudge.slope, twice=f"{2 * nudge.h:g}"))


def draw(context: StageContext) -> None:
    t, descent = context.t, context.view.of[USUAL]
    write(heading(t, "gradient"), paragraph(t, "gradient.said", weight=named(descent)))
    if context.covered:
        return write(f"<p class='soft'>{t.html('gradient.covered')}</p>")
    first = tried()[0]
    left, right = st.columns([1, 1.1], gap="large", vertical_alignment="center")
    with left:
        components.curves(key="nudge", data=drawn(t, first).pack())
    right.html(table([(f"δ = {nudge.h:g}", quotient(t, nudge)) for nudge in tried()]))
    count = grouped(descent.parameters)
    passes = grouped(2 * descent.parameters)
    facts = {"most": f"{first.h:g}", "gradient": float(descent.gradients[0]), "parameters": count, "passes": passes}
    write(paragraph(t, "gradient.tried", **facts), paragraph(t, "gradient.back", **facts))
    door(context.page, "meaning", t("gradient.door"))
