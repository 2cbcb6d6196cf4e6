"""How alike the two are that are compared, at every depth."""

import numpy as np

from core.figures.depth import Column, Depth, DepthWords
from core.figures.picture import veiled
from core.views.vectors import cosines
from pages.shared.pictures.pictures import STACK
from pages.shared.server import cached
from pages.stages.overview.context import StageContext


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
    shape = f"{rows(context)} × {context.page.model.config.d_model}"
    t = context.t
    return Depth(
        columns=[Column(context.title(depth), shape) for depth in view.depths],
        names=[context.name(i) for i in range(len(view.rows))],
        only=context.pair if every is None else None,
        words=DepthWords(t("picture_label"), t("curve"), t("more"), t("matrix.veiled")),
        cosines=alone if every is None else every,
    )


def rows(context: StageContext) -> str:
    """How many rows there are; where there are two stacks, of each."""
    view = context.view
    return f"({view.read} + {len(view.rows) - view.read})" if context.page.translates else str(view.read)
