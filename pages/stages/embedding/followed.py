"""The number being followed."""

from collections.abc import Sequence
from dataclasses import replace

from core.derivation import Cell, Measure, Weight
from core.derivation.flow import TABLE
from core.figures.followed import Followed, Line
from pages.shared.number.follow import hidden, number
from pages.shared.words.numbers import exact, short
from pages.stages.embedding.context import StageContext

OF_IDS = {"id": "ids_apart", "onehot": "one_hot_alike"}


def followed(context: StageContext) -> Followed:
    if context.other is not None:
        return pair(context, context.position, context.other)
    if context.row is not None:
        return entry(context, context.row)
    return cell(context)


def cell(context: StageContext) -> Followed:
    """A number of a token's row."""
    t, view, position, dim = context.t, context.view, context.position, context.dim
    id = f"{position}/{dim}"
    where = t("follow_cell", token=context.page.name(position), position=position, dim=dim)
    if position in context.veil:
        return hidden(t, id, where)
    row = view.ids[position]
    operation = t("steps.id.operation", token=view.tokens[position])
    first = Line(operation, str(row), str(row), reason=t("steps.id.reason"))
    twins = [] if context.veiled else view.same(position)
    last = [twin_line(context, *sorted((position, twins[0])))] if twins else []
    return of_table(context, row, id, where, first, last)


def of_table(context: StageContext, row: int, id: str, where: str, first: Line, last: Sequence[Line] = ()) -> Followed:
    """A number of the table, between what the page says before and after."""
    shown = number(context, Measure("looked_up", (Weight(TABLE, (row, context.dim)),)), id, where)
    return replace(shown, steps=[first, *shown.steps, *last])


def twin_line(context: StageContext, a: int, b: int) -> Line:
    """The same row, fetched for another place: no position in it yet."""
    t, view = context.t, context.view
    names = {"a": context.page.name(a), "b": context.page.name(b), "d_model": view.d_model, "id": view.ids[a]}
    value = view.apart(a, b)
    operation, reason = t("steps.twin.operation", **names), t("steps.twin.reason", **names)
    return Line(operation, short(value), exact(value), reason=reason)


def entry(context: StageContext, row: int) -> Followed:
    """A number of the table that was looked up by hand."""
    t, view, dim = context.t, context.view, context.dim
    at = [str(i) for i, id in enumerate(view.ids) if id == row]
    key = ("entry_idle", "entry_fetched", "entry_fetched_all")[min(len(at), 2)]
    said = t(key, positions=t("comma").join(at))
    first = Line(t("steps.entry.operation", row=row), view.pieces[row], reason="" if context.veil else said)
    return of_table(context, row, f"row/{row}/{dim}", t("follow_entry", row=row, dim=dim), first)


def pair(context: StageContext, a: int, b: int) -> Followed:
    """What two tokens have in common."""
    t, view, kind = context.t, context.view, context.kind
    id, where = f"{kind}/{a}/{b}", t(f"follow_pair.{kind}", a=context.page.name(a), b=context.page.name(b))
    if a in context.veil or b in context.veil:
        return hidden(t, id, where)
    if kind == "row":
        return number(context, Measure("cosine", tuple(Cell("embedding.token", (i, None)) for i in (a, b))), id, where)
    rows = tuple(Weight(TABLE, (view.ids[i], None)) for i in (a, b))
    shown = number(context, Measure(OF_IDS[kind], rows), id, where)
    return replace(shown, value=str(shown.steps[-1].value))  # ids are counted
