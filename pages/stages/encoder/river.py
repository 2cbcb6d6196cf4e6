"""The stream of one token through the stack that reads, as a river."""

import numpy as np

from core.figures.river import Flow, River, RiverWords
from core.views.encoder import Sublayer
from pages.stages.encoder.context import StageContext

NUMBERED = 23  # sub-layers beside which there is room for a number


def river(context: StageContext) -> River:
    t = context.t
    steps = [flow(context, one) for one in context.view.sublayers if one.place.stack == context.reader]
    words = RiverWords(
        label=t("river.label"),
        title=t("river.title", token=context.name_of(context.reader)),
        left=t("parts.attention"),
        right=t("parts.feedforward"),
        layer=t("river.number"),
        said=t("river.said"),
        veiled=t("matrix.veiled"),
        caption=t("river.caption_many" if len(steps) > NUMBERED else "river.caption"),
    )
    return River(steps, words)


def flow(context: StageContext, one: Sublayer) -> Flow:
    layer, at = int(one.place.layer or 0) + 1, context.pos
    hidden = context.hides(context.reader, layer, at)

    def length(vectors: np.ndarray) -> float | None:
        return None if hidden else float(vectors[at])

    return Flow(
        layer=layer,
        side="right" if one.place.part == "feedforward" else "left",
        name=context.t(f"parts.{one.place.part}"),
        before=length(one.before),
        written=length(one.written),
        added=length(one.added),
        after=length(one.after),
        picks={"layer": layer, "part": f"{one.place.stack}.{one.place.part}"},
    )
