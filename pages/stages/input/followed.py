"""The number being followed: a cell of a part, the cosine of a pair, or a weight of the first layer's attention."""

from core.derivation import Given
from core.derivation.input import derive_cell, derive_pair
from core.figures.followed import Followed, Line
from pages.shared.follow import headed, hidden, lines, weight
from pages.stages.input.look import Look


def followed(look: Look) -> Followed:
    if look.values["k"] is None:
        return cell(look)
    return attended(look) if look.values["look"] else pair(look)


def cell(look: Look) -> Followed:
    t, view, position, dim = look.t, look.view, look.selected, look.values["dim"]
    part = part_of(look)
    name = t(f"parts_short.{part}")
    where, id = t("follow_cell", part=name, token=look.page.name(position), dim=dim), f"{part}/{position}/{dim}"
    if position in look.asked.rows:
        return hidden(t, id, where)
    derivation = derive_cell(view.now, part, position, dim)
    steps = lines(t, derivation, token=view.now.tokens[position], position=position, dim=dim)
    if not view.added:
        steps.append(column(look, part, dim))
    return headed(t, id, where, derivation, steps)


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
    return headed(t, id, where, derivation, lines(t, derivation, **names), given=Given(edits=view.edits))


def attended(look: Look) -> Followed:
    """A weight of the first layer's attention, as the model is or as switched."""
    t, q, k = look.t, look.selected, look.values["k"]
    which, head = look.values["look"], look.values["head"]
    names = {"row": look.page.name(q), "column": look.page.name(k)}
    view = look.view.attention_own if which == "own" else look.view.attention_now
    where = t("follow_weight", which=look.side_name(which), head=head, **names)
    return weight(look, view, head - 1, q, k, f"{which}/{head}/{q}/{k}", where)
