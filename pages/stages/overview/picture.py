"""How alike the two are that are compared, at every depth."""

import numpy as np

from core.figures.depth import Column, Depth, DepthWords
from core.figures.picture import veiled
from core.views.overview import Depth as ViewedDepth
from core.views.sheet import SheetView
from core.views.vectors import cosines
from pages.shared.pictures.pictures import STACK
from pages.shared.server import cached
from pages.stages.overview.context import StageContext, sheet_of
from pages.stages.overview.sheet import ends_of


@cached.shared
def every_cosine(context: StageContext) -> np.ndarray | None:
    """Of each two tokens at each depth, as they may be seen; None for a long text, where the pair's must do."""
    depths, n = context.view.depths, len(context.view.rows)
    if 4 * len(depths) * n * n > STACK:
        return None
    return np.stack([veiled(cosines(depth.states), context.veil(i), 0, 1) for i, depth in enumerate(depths)])


def depth(context: StageContext) -> Depth:
    view, every = context.view, every_cosine(context.only())
    alone = np.array([[[np.nan if context.hidden(i) else cosine]] for i, cosine in enumerate(context.cosines)])
    t, whole = context.t, sheet_of(*context.key)
    curve = t("curve") if len(view.rows) > 1 else ""
    return Depth(
        columns=[Column(context.brief(depth.id, depth.number), stands(whole, depth)) for depth in view.depths],
        across=whole.breadth,
        read=view.read,
        ends=ends_of(context, whole),
        names=[context.name(i) for i in range(len(view.rows))],
        only=context.pair if every is None else None,
        words=DepthWords(t("picture_label"), t("axis"), curve, t("numbered"), t("more"), t("matrix.veiled")),
        cosines=alone if every is None else every,
    )


def stands(whole: SheetView, depth: ViewedDepth) -> list[float]:
    """Where the columns of the sheet stand that hold the states of a depth: the last of its layer, in each stack."""
    return [
        max(
            at
            for at, column in zip(whole.stands, whole.columns, strict=True)
            if column.written == bool(side) and (column.tap == tap or 0 < depth.number == column.layer)
        )
        for side, tap in enumerate(depth.taps)
    ]
