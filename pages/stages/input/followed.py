"""The number being followed: a cell of a part, the cosine of a pair, or a weight of the first layer's attention."""

from dataclasses import replace

from core.derivation import Cell, RunSpec
from core.derivation.input import derive_pair
from core.figures.followed import Followed, Line
from pages.shared.number.follow import headed, hidden, lines, number, weight
from pages.shared.number.number_panel import Cells
from pages.stages.input.context import StageContext


def followed(context: StageContext) -> Followed:
    if context.values["k"] is None:
        return cell(context)
    weights = context.values["of"] == "weights" and context.values["side"] in ("own", "now")
    return attended(context) if context.values["look"] or weights else pair(context)


def cell(context: StageContext) -> Followed:
    """A number of a part; of the sum after those of every part."""
    t, view, position, dim = context.t, context.view, context.selected, context.values["dim"]
    part = part_of(context)
    where = t("follow_cell", part=t(f"parts_short.{part}"), token=context.page.name(position), dim=dim)
    id = f"{part}/{position}/{dim}"
    if position in context.asked.rows:
        return hidden(t, id, where)
    parts = (*view.now.names, "sum") if part == "sum" else (part,)
    *before, own = (Cell(tap, (position, dim)) for name in parts for tap in taps(context, name))
    shown = number(context, own, id, where, *before, given=RunSpec(edits=view.edits))
    return shown if view.added else replace(shown, steps=[*shown.steps, column(context, part, dim)])


def taps(context: StageContext, part: str) -> list[str]:
    """What a part passes, the last of which is added: a token's row, and, where the model scales it, √d times that."""
    words = ("token", "scaled") if part == "token" else (part,)
    return [tap for word in words if (tap := f"embedding.{word}") in context.page.model.tap_dims]


def part_of(context: StageContext) -> str:
    """Parts that lie side by side have no sum to follow."""
    part = context.values["part"]
    return "token" if part == "sum" and not context.view.added else part


def column(context: StageContext, part: str, dim: int) -> Line:
    """Where the number stands when the parts lie side by side."""
    t, now = context.t, context.view.now
    return Line(
        operation=t("steps.column.operation", part=t(f"parts_short.{part}"), dim=dim),
        value=str(now.names.index(part) * now.d_model + dim),
        reason=t("steps.column.reason", d_model=now.d_model, parts=len(now.names)),
    )


def pair(context: StageContext) -> Followed:
    """The cosine of a pair: in the model's own vectors, as switched, before dropout or after it."""
    t, side, a, b = context.t, context.values["side"], context.selected, context.values["k"]
    view, kind = context.compared(side, context.values["of"])
    names = {"a": context.page.name(a), "b": context.page.name(b)}
    where = t("follow_pair", kind=t(f"kinds.{kind}"), which=context.side_name(side), **names)
    id = f"{side}/{kind}/{a}/{b}"
    if {a, b} & set(context.asked.rows):
        return hidden(t, id, where)
    derivation = derive_pair(view, kind, a, b)
    cells, given = Cells(context.page), RunSpec(edits=view.edits)
    steps = lines(t, derivation, labels=lambda i: cells.t("name.dim", dim=i))
    return headed(t, id, where, derivation, steps, given=given)


def attended(context: StageContext) -> Followed:
    """A weight of the first layer's attention, as the model is or as switched."""
    t, q, k = context.t, context.selected, context.values["k"]
    which, head = context.values["look"] or "own", context.values["head"]
    names = {"row": context.page.name(q), "column": context.page.name(k)}
    view = context.view.attention_own if which == "own" else context.view.attention_now
    where = t("follow_weight", which=context.side_name(which), head=head, **names)
    return weight(context, view, head - 1, q, k, f"{which}/{head}/{q}/{k}", where)
