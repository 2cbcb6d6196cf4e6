"""Every weight takes its step at once: the loss over sixty steps, by each learning rate."""

import numpy as np

from core.figures.controls import Controls
from core.figures.curves import Along, Curves, CurvesWords, Series, Upwards
from core.views.descent import ROUNDS, together
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.stages.training.context import StageContext
from pages.stages.training.picture import controls
from pages.stages.training.words import near

FAR = 10.0  # a loss from which on the axis is logarithmic


@cached.shared
def losses(rate: float) -> np.ndarray:
    return together(rate)


def draw(context: StageContext) -> None:
    t, descent = context.t, context.descent
    write(heading(t, "together"), paragraph(t, "together.said", parameters=grouped(descent.parameters), steps=ROUNDS))
    if context.covered:
        return write(f"<p class='soft'>{t.html('gradient.covered')}</p>")
    _, rate = controls(context).controls
    components.controls(key="together_controls", data=Controls([rate]).data())
    found = losses(descent.rate)
    components.curves(key="together", data=curve(context, found).pack())
    write(paragraph(t, f"together.{outcome(found)}", **facts(found, descent.rate)), paragraph(t, "together.real"))


def outcome(found: np.ndarray) -> str:
    """Whether it stays below its beginning, rises above it on the way, or does not come back."""
    if not np.isfinite(found).all() or found[-1] > found[0]:
        return "lost"
    return "fell" if found.argmax() == 0 else "uneven"


def facts(found: np.ndarray, rate: float) -> dict[str, object]:
    seen = found[np.isfinite(found)]
    steps = np.diff(seen)
    ends = {"first": near(found[0]), "second": near(found[1]), "last": near(seen[-1])}
    return {
        **ends,
        "rate": f"{rate:g}",
        "steps": len(found) - 1,
        "high": f"{seen.max():.2g}",
        "down": int((steps < 0).sum()),
    }


def curve(context: StageContext, found: np.ndarray) -> Curves:
    t, seen = context.t, found[np.isfinite(found)]
    words = CurvesWords(t("together.label"), t.html("together.caption"))
    upwards = Upwards(log=True) if seen.max() > FAR else Upwards(low=0)
    return Curves(Along(len(found), t("descent.steps")), upwards, [Series()], [found], words, 240)
