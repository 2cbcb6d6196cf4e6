"""The number being followed."""

from collections.abc import Sequence
from dataclasses import replace

from core.derivation import Cell, Measure, Weight
from core.derivation.flow import TABLE
from core.figures.followed import Followed, Line
from pages.shared.number.follow import hidden, number
from pages.shared.words.numbers import exact, short
from pages.stages.embedding.look import Look

OF_IDS = {"id": "ids_apart", "onehot": "one_hot_alike"}


def followed(look: Look) -> Followed:
    if look.other is not None:
        return pair(look, look.position, look.other)
    if look.row is not None:
        return entry(look, look.row)
    return cell(look)


def cell(look: Look) -> Followed:
    """A number of a token's row."""
    t, view, position, dim = look.t, look.view, look.position, look.dim
    id = f"{position}/{dim}"
    where = t("follow_cell", token=look.page.name(position), position=position, dim=dim)
    if position in look.veil:
        return hidden(t, id, where)
    row = view.ids[position]
    operation = t("steps.id.operation", token=view.tokens[position])
    first = Line(operation, str(row), str(row), reason=t("steps.id.reason"))
    twins = [] if look.veiled else view.same(position)
    last = [twin_line(look, *sorted((position, twins[0])))] if twins else []
    return of_table(look, row, id, where, first, last)


def of_table(look: Look, row: int, id: str, where: str, first: Line, last: Sequence[Line] = ()) -> Followed:
    """A number of the table, between what the page says before and after."""
    shown = number(look, Measure("looked_up", (Weight(TABLE, (row, look.dim)),)), id, where)
    return replace(shown, steps=[first, *shown.steps, *last])


def twin_line(look: Look, a: int, b: int) -> Line:
    """The same row, fetched for another place: no position in it yet."""
    t, view = look.t, look.view
    names = {"a": look.page.name(a), "b": look.page.name(b), "d_model": view.d_model, "id": view.ids[a]}
    value = view.apart(a, b)
    operation, reason = t("steps.twin.operation", **names), t("steps.twin.reason", **names)
    return Line(operation, short(value), exact(value), reason=reason)


def entry(look: Look, row: int) -> Followed:
    """A number of the table that was looked up by hand."""
    t, view, dim = look.t, look.view, look.dim
    at = [str(i) for i, id in enumerate(view.ids) if id == row]
    key = ("entry_idle", "entry_fetched", "entry_fetched_all")[min(len(at), 2)]
    said = t(key, positions=", ".join(at))
    first = Line(t("steps.entry.operation", row=row), view.pieces[row], reason="" if look.veil else said)
    return of_table(look, row, f"row/{row}/{dim}", t("follow_entry", row=row, dim=dim), first)


def pair(look: Look, a: int, b: int) -> Followed:
    """What two tokens have in common."""
    t, view, kind = look.t, look.view, look.kind
    id, where = f"{kind}/{a}/{b}", t(f"follow_pair.{kind}", a=look.page.name(a), b=look.page.name(b))
    if a in look.veil or b in look.veil:
        return hidden(t, id, where)
    if kind == "row":
        return number(look, Measure("cosine", tuple(Cell("embedding.token", (i, None)) for i in (a, b))), id, where)
    rows = tuple(Weight(TABLE, (view.ids[i], None)) for i in (a, b))
    shown = number(look, Measure(OF_IDS[kind], rows), id, where)
    return replace(shown, value=str(shown.steps[-1].value))  # ids are counted
