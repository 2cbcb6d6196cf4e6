"""The sentence at every depth, each layer's mean attention above it, the cosine of the pair below."""

from dataclasses import dataclass

import numpy as np

from core.figures.depth import Attention, Column, Depth, DepthWords, Heading, Legend
from core.figures.picture import pooled, veiled
from core.views.overview import Looking
from core.views.vectors import cosines
from pages.shared.pictures.pictures import STACK
from pages.shared.server import cached
from pages.stages.overview.context import StageContext
from pages.stages.overview.doors import door

DIMENSIONS = 40  # how many of a vector's dimensions fit into a column
ATTENTION_PIXELS = 64


@dataclass(frozen=True, eq=False)
class Shown:
    """What another pair does not change."""

    states: np.ndarray  # [depth, token, dim]
    reaches: tuple[float, ...]  # of each depth: 97 % of what is shown is smaller
    pooled: tuple[np.ndarray, ...]  # of each attention
    cosines: np.ndarray | None  # [depth, token, token] where that is not too much

    @property
    def nbytes(self) -> int:
        return self.states.nbytes + sum(a.nbytes for a in (*self.pooled, self.cosines) if a is not None)


def dimensions(context: StageContext) -> np.ndarray:
    """Those that are shown, evenly spaced."""
    return np.arange(DIMENSIONS) * (context.page.model.config.d_model // DIMENSIONS)


@cached.shared
def shown(context: StageContext) -> Shown:
    view, dims = context.view, dimensions(context)
    states = np.stack([veiled(depth.states[:, dims], context.veil(i)) for i, depth in enumerate(view.depths)])
    size = np.abs(states)
    reaches = np.nanpercentile(size, 97, axis=(1, 2)) if len(view.rows) > 2 else np.nanmax(size, axis=(1, 2))
    small = (pooled(looking.weights[None], ATTENTION_PIXELS)[0][0] for looking in view.attention)
    return Shown(states, tuple(map(float, reaches)), tuple(small), every_cosine(context))


def every_cosine(context: StageContext) -> np.ndarray | None:
    """Of each two tokens at each depth, as they may be seen; None for a long text, where the pair's must do."""
    depths, n = context.view.depths, len(context.view.rows)
    if 4 * len(depths) * n * n > STACK:
        return None
    return np.stack([veiled(cosines(depth.states), context.veil(i), 0, 1) for i, depth in enumerate(depths)])


def depth(context: StageContext) -> Depth:
    view, still = context.view, shown(context.only())
    alone = np.array([[[np.nan if context.hidden(i) else cosine]] for i, cosine in enumerate(context.cosines)])
    return Depth(
        tokens=view.tokens,
        special=view.special,
        ids=view.ids,
        read=view.read,
        written=[(word, round(probability, 3)) for word, probability in view.written],
        first=Heading(context.t("depths.ids"), rows(context), door(context, "ids")),
        columns=[column(context, i, reach) for i, reach in enumerate(still.reaches)],
        dims=dimensions(context).tolist(),
        attention=[attention(context, one, small) for one, small in zip(view.attention, still.pooled, strict=True)],
        names=[context.name(i) for i in range(len(view.rows))],
        only=context.pair if still.cosines is None else None,
        words=words(context),
        states=still.states,
        cosines=alone if still.cosines is None else still.cosines,
        pooled=still.pooled,
    )


def rows(context: StageContext) -> str:
    """How many rows there are; where there are two stacks, of each."""
    view = context.view
    return f"{view.read} + {len(view.rows) - view.read}" if context.page.translates else str(len(view.rows))


def column(context: StageContext, i: int, reach: float) -> Column:
    depth, n = context.view.depths[i], rows(context)
    shape = f"{f'({n})' if context.page.translates else n} × {depth.states.shape[1]}"
    return Column(context.title(depth), shape, door(context, depth.id, depth.number), reach)


def attention(context: StageContext, looking: Looking, small: np.ndarray) -> Attention:
    """Above the column of its layer; those of the decoder above what is written."""
    name, (n, m) = context.t(f"kinds.{looking.kind}"), small.shape
    at = len(context.view.depths) - context.view.layers + looking.layer - 1
    return Attention(at, n, m, looking.kind, name, door(context, looking.kind, looking.layer))


def words(context: StageContext) -> DepthWords:
    t = context.t
    return DepthWords(
        label=t("picture_label"),
        curve=t("curve"),
        more=t("more"),
        dim=t("matrix.dim"),
        veiled=t("matrix.veiled"),
        encoder=t("encoder"),
        decoder=t("decoder"),
        legend=[
            Legend(t("legend.above"), "squares"),
            Legend(t("legend.below"), "strips"),
            Legend(t("legend.negative"), "negative"),
            Legend(t("legend.positive"), "positive"),
            Legend(t("legend.note", shown=DIMENSIONS, all=context.page.model.config.d_model), "note"),
        ],
    )
