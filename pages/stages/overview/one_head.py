"""The lines of the sheet are the mean of all heads, or those of one."""

import numpy as np

from core.figures.controls import Control
from core.figures.sheet import OneHead
from core.model.places import attention_at
from core.views import sheet
from pages.shared.address.address import Table, choice
from pages.shared.server import cached
from pages.stages.overview import what_if
from pages.stages.overview.context import StageContext, sheet_of

MEAN, ONE = "mean", "head"
PARAMETERS: Table = {"lines": choice(MEAN, ONE, default=MEAN)}


def controls(context: StageContext) -> list[Control]:
    """Whose lines; of a change, which shows only what moved, none are drawn."""
    t, values = context.t, context.values
    if values["what"] != what_if.NONE:
        return []
    chosen = Control("lines", t("what_if.lines"), [(id, t(f"what_if.{id}_lines")) for id in (MEAN, ONE)], MEAN)
    return [chosen, *(what_if.heads(context) if values["lines"] == ONE else ())]


def one_head(context: StageContext, of: str, share: float) -> OneHead:
    if context.values["lines"] != ONE:
        return OneHead(of, None, 0, "", "", "", np.zeros(0, np.uint16), np.zeros(0, np.uint8))
    t, (kind, layer, head) = context.t, what_if.head_of(context)
    place = attention_at(kind, layer - 1)
    weights = cached.attention(*context.key, layer, kind).weights[head - 1]
    drawn = sheet.lines(place, weights[None])
    facts = {"layer": layer, "head": head, "name": t(f"kinds.{kind}"), "share": round(100 * share)}
    return OneHead(
        of,
        sheet_of(*context.key).at(place.tap("output")),
        len(drawn.shares),
        t("sheet.one_head.lines", **facts),
        t("sheet.one_head.looks", layer=layer, head=head),
        t("sheet.one_head.mixed", head=head),
        drawn.pairs,
        drawn.shares,
    )
