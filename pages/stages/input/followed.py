"""The number being followed: a cell of a part, the cosine of a pair, or a weight of the first layer's attention."""

from dataclasses import replace

from core.derivation import Cell, RunSpec
from core.derivation.input import derive_pair
from core.figures.followed import Followed, Line
from pages.shared.number.follow import headed, hidden, lines, number, weight
from pages.shared.number.number_panel import Cells
from pages.stages.input.look import Look


def followed(look: Look) -> Followed:
    if look.values["k"] is None:
        return cell(look)
    return attended(look) if look.values["look"] else pair(look)


def cell(look: Look) -> Followed:
    """A number of a part; of the sum after those of every part."""
    t, view, position, dim = look.t, look.view, look.selected, look.values["dim"]
    part = part_of(look)
    where = t("follow_cell", part=t(f"parts_short.{part}"), token=look.page.name(position), dim=dim)
    id = f"{part}/{position}/{dim}"
    if position in look.asked.rows:
        return hidden(t, id, where)
    parts = (*view.now.names, "sum") if part == "sum" else (part,)
    *before, own = (Cell(tap, (position, dim)) for name in parts for tap in taps(look, name))
    shown = number(look, own, id, where, *before, given=RunSpec(edits=view.edits))
    return shown if view.added else replace(shown, steps=[*shown.steps, column(look, part, dim)])


def taps(look: Look, part: str) -> list[str]:
    """What a part passes, the last of which is added: a token's row, and, where the model scales it, √d times that."""
    words = ("token", "scaled") if part == "token" else (part,)
    return [tap for word in words if (tap := f"embedding.{word}") in look.page.model.tap_dims]


def part_of(look: Look) -> str:
    """Parts that lie side by side have no sum to follow."""
    part = look.values["part"]
    return "token" if part == "sum" and not look.view.added else part


def column(look: Look, part: str, dim: int) -> Line:
    """Where the number stands when the parts lie side by side."""
    t, now = look.t, look.view.now
    return Line(
        operation=t("steps.column.operation", part=t(f"parts_short.{part}"), dim=dim),
        value=str(now.names.index(part) * now.d_model + dim),
        reason=t("steps.column.reason", d_model=now.d_model, parts=len(now.names)),
    )


def pair(look: Look) -> Followed:
    """The cosine of a pair: in the model's own vectors, as switched, before dropout or after it."""
    t, side, a, b = look.t, look.values["side"], look.selected, look.values["k"]
    view, kind = look.compared(side, look.values["of"])
    names = {"a": look.page.name(a), "b": look.page.name(b)}
    where = t("follow_pair", kind=t(f"kinds.{kind}"), which=look.side_name(side), **names)
    id = f"{side}/{kind}/{a}/{b}"
    if {a, b} & set(look.asked.rows):
        return hidden(t, id, where)
    derivation = derive_pair(view, kind, a, b)
    cells, given = Cells(look.page), RunSpec(edits=view.edits)
    steps = lines(t, derivation, labels=lambda i: cells.t("name.dim", dim=i))
    return headed(t, id, where, derivation, steps, given=given)


def attended(look: Look) -> Followed:
    """A weight of the first layer's attention, as the model is or as switched."""
    t, q, k = look.t, look.selected, look.values["k"]
    which, head = look.values["look"], look.values["head"]
    names = {"row": look.page.name(q), "column": look.page.name(k)}
    view = look.view.attention_own if which == "own" else look.view.attention_now
    where = t("follow_weight", which=look.side_name(which), head=head, **names)
    return weight(look, view, head - 1, q, k, f"{which}/{head}/{q}/{k}", where)
