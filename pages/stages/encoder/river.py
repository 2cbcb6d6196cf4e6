"""The stream of one token through the stack that reads, and what each sub-layer adds to it."""

from collections.abc import Sequence

import numpy as np

from core.figures.river import Flow, River, RiverWords
from core.views.encoder import Sublayer
from pages.shared.words.numbers import PROSE, short
from pages.stages.encoder.context import StageContext

NUMBERED = 27  # sub-layers beside whose arrows there is room for a number
LONGEST = 2.0  # times as long as the stream: longer arrows are cut


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
        caption=caption(context, steps),
    )
    return River(steps, LONGEST, words)


def caption(context: StageContext, steps: Sequence[Flow]) -> str:
    """What length and number are; what a cut is, only where there is one."""
    said = context.t("river.caption_many" if len(steps) > NUMBERED else "river.caption")
    cut = any(one.written and one.before and one.written > LONGEST * one.before for one in steps)
    return context.t("river.caption_cut", caption=said) if cut else said


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
        share=None if hidden else short(float(one.share[at]), PROSE),
        added=length(one.added),
        after=length(one.after),
        picks={"layer": layer, "part": f"{one.place.stack}.{one.place.part}"},
    )
