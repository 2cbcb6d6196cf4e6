"""What the picture is given, and the two controls above it."""

import numpy as np

from core.figures import descent as figures
from core.figures.controls import Control, Controls, numbered
from core.training.tasks import END
from core.views.descent import RATES, STEPS, Descent
from pages.stages.training.context import USUAL, StageContext
from pages.stages.training.words import named


def picture(context: StageContext) -> figures.Descent:
    t, descent, covered = context.t, context.descent, context.covered
    seen = slice(0, 1 if covered else STEPS + 1)
    asks = covered and context.question and context.question.template.startswith("direction")
    ways = [t(f"predict.direction_shrink.{way}") for way in ("shrink", "grow")] if asks else []
    caption = "asked" if asks else "covered" if covered else "caption"
    steep = abs(float(descent.gradients[0]))
    words = figures.DescentWords(
        label=t("descent.label"),
        weight=t("descent.weight", weight=named(descent)),
        along=t("descent.along", weight=named(descent), token=END, dim=descent.dim),
        loss=t("descent.loss"),
        axis=t("descent.axis_asked" if asks else "descent.axis"),
        slope=t("descent.line" if asks else "descent.slope"),
        step=t("descent.step"),
        next=t("descent.next"),
        caption=t(f"descent.{caption}"),
        arrow=t("descent.arrow"),
        been="" if covered else t("descent.been"),
        ways=ways,
    )
    return figures.Descent(
        param="times",
        weights=descent.weights[seen].tolist(),
        losses=descent.losses[seen].tolist(),
        slopes=[steep] if covered else descent.gradients[seen].tolist(),
        last=[] if covered else [float(descent.weights[-1]), float(descent.losses[-1])],
        along=descent.along[[0, -1]] if covered and not asks else descent.along,
        curve=curve(descent, turned=bool(asks), covered=covered),
        words=words,
        veiled=covered,
    )


def curve(descent: Descent, turned: bool, covered: bool) -> np.ndarray:
    """The losses; rising to the right where the weight stands, if they are turned; covered, the ends of their axis."""
    if turned:
        return descent.curve if descent.gradients[0] > 0 else descent.curve[::-1]
    return np.array([descent.curve.max(), descent.curve.min()]) if covered else descent.curve


def controls(context: StageContext) -> Controls:
    t = context.t
    rates = [(f"{rate:g}", f"{rate:g}") for rate in RATES]
    rate = Control("rate", t("rate"), rates, first=f"{USUAL:g}", also={"times": None})
    times = Control("times", t("times"), numbered(STEPS + 1, 0), first=0, stepper="always", plain=True)
    return Controls([rate] if context.covered else [times, rate])
