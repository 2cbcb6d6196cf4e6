"""How each part grows with L and with d, and where one overtakes another."""

import numpy as np
import streamlit as st

from core.figures.controls import Control, Controls
from core.figures.curves import Along, Curves, CurvesWords, Mark, Series, Upwards
from core.numbers import power_of_ten
from core.views.size import STEPS, Growth, doubled, growth
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.page.stage import piece
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped
from pages.stages.size.context import StageContext

GROWN = "grown"  # a piece of the page


def draw(context: StageContext) -> None:
    t = context.t
    write(heading(t, "growth"), paragraph(t, "growth.said"))
    options = [(id, t(f"growth.along_{id}")) for id in ("n", "d")]
    components.controls(key="along", data=Controls([Control("along", t("growth.along"), options)]).data())
    piece(context, GROWN, draw_curves)


def draw_curves(context: StageContext) -> None:
    t, found = context.t, growing(context)
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        components.curves(key="growth", data=curves(context, found).pack())
    with right:
        write(times(context), paragraph(t, "growth.how"))


def growing(context: StageContext) -> Growth:
    return growth(context.view, context.show, context.values["along"])


def curves(context: StageContext, found: Growth) -> Curves:
    t, step = context.t, int(found.at[0])
    power = 3 * int(np.log10(max(1.0, *(float(values[-1]) for values in found.values))) // 3)
    unit = 10.0**power
    of = t(f"growth.unit_{context.show}")
    said = "growth.scale" if power else "growth.scale_one"
    scale = t.html(said, power=power_of_ten(power), of=of)
    caption = t.together((scale, t.html(f"growth.caption_{found.along}")))
    marks = []
    if found.crossing is not None:
        late = found.crossing > found.at[-1] * 0.6
        said = t(f"growth.crossing_{found.along}", at=grouped(found.crossing))
        marks = [
            Mark(found.crossing, found.height / unit, said, "end" if late else "start", below=not late, clear=True)
        ]
    return Curves(
        x=Along(STEPS, t(f"growth.axis_{found.along}"), from_=step, step=step, param=found.along),
        y=Upwards(low=0),
        series=[Series(t(f"growth.{id}"), look_) for id, look_ in zip(found.ids, ("accent", "second"), strict=True)],
        values=[values / unit for values in found.values],
        marks=marks,
        height=260,
        ends=True,
        words=CurvesWords(t("growth.label"), caption),
    )


def times(context: StageContext) -> str:
    """Of each part: how many times as large, with twice the L, the d, the V and the N."""
    t = context.t
    rows = [
        [t(f"parts.{context.show}.{id}"), *("–" if factor is None else f"× {factor:.3g}" for factor in factors)]
        for id, factors in doubled(context.view, context.show)
        if any(factor is not None for factor in factors)
    ]
    return table(rows, ["", "2 · L", "2 · d", "2 · V", "2 · N"], "sums named")
