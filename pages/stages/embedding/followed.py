"""The number being followed."""

from dataclasses import replace

from core.derivation.embedding import derive_cell, derive_entry, derive_pair
from core.figures.followed import Followed, Line
from pages.shared.follow import headed, hidden, lines
from pages.shared.numbers import exact, short
from pages.stages.embedding.look import Look


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
    derivation = derive_cell(view, position, dim)
    steps = lines(t, derivation, token=view.tokens[position], dim=dim, **look.sizes)
    if not look.veiled and (twins := view.same(position)):
        steps.append(twin_line(look, *sorted((position, twins[0]))))
    return headed(t, id, where, derivation, steps)


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
    derivation = derive_entry(view, row, dim)
    steps = lines(t, derivation, token=view.pieces[row], dim=dim, **look.sizes)
    at = [str(i) for i, id in enumerate(view.ids) if id == row]
    key = ("entry_idle", "entry_fetched", "entry_fetched_all")[min(len(at), 2)]
    said = t(key, positions=", ".join(at))
    first = Line(t("steps.entry.operation", row=row), view.pieces[row], reason="" if look.veil else said)
    where = t("follow_entry", row=row, dim=dim)
    return headed(t, f"row/{row}/{dim}", where, derivation, [first, *steps])


def pair(look: Look, a: int, b: int) -> Followed:
    """What two tokens have in common."""
    t, kind = look.t, look.kind
    names = {"a": look.page.name(a), "b": look.page.name(b)}
    id, where = f"{kind}/{a}/{b}", t(f"follow_pair.{kind}", **names)
    if a in look.veil or b in look.veil:
        return hidden(t, id, where)
    derivation = derive_pair(look.view, kind, a, b)
    *before, last = lines(t, derivation, **names, **look.sizes)
    shown = headed(t, id, where, derivation, [*before, last])
    if kind != "id":
        return shown
    count = f"{derivation.value:,.0f}"  # ids are counted
    return replace(shown, value=count, steps=[*before, replace(last, value=count)])
