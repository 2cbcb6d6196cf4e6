"""The walk through one unit, every stop of it, in the visitor's language; nothing of a veiled one."""

from core.figures.walk import Stop, Walk, WalkWords
from core.text.wordpiece import LONGEST_WORD
from core.views.tokens import Lookup, Merging, Unit
from pages.shared.page.parts import repaired
from pages.shared.words.numbers import grouped
from pages.stages.tokens.look import Look, shown


def walk(look: Look) -> Walk:
    t, unit = look.t, look.unit
    stops = [] if look.hidden else [*(stop(look, one) for one in unit.lookups), *merges(look)]
    return Walk(
        unit=look.word,
        title=t("walk.title"),
        value=shown(unit.text, 22),
        where=where(look),
        intro=([t("walk.beside")] if look.aside else []) + veiled_or(look),
        text=(unit.letters or unit.text) if stops else None,
        stops=stops,
        marks=t("walk.marks") if len(stops) > 1 and not unit.merges else "",
        check=t("walk.check", word=shown(unit.text)) if len(stops) > 1 and comes_back(unit) else "",
        note=repaired(look),
        veiled=look.hidden,
        words=WalkWords(**{name: t(f"walk.{name}") for name in ("no", "none", "gap")}),
    )


def where(look: Look) -> str:
    unit = look.unit
    if look.aside or unit.kind == "added":
        return look.t("walk.where_beside" if look.aside else "walk.where_added")
    return look.t("walk.where", start=unit.start, end=unit.end)


def comes_back(unit: Unit) -> bool:
    """Whether its pieces, put together again, are the word."""
    if unit.merges:
        return unit.merges[-1].ends[-1] == len(unit.letters)
    return unit.text == "".join(t.text.removeprefix("##") if i else t.text for i, t in enumerate(unit.tokens))


def veiled_or(look: Look) -> list[str]:
    if look.hidden:
        return [look.t("walk.veiled_beside" if look.aside else "walk.veiled")]
    return [] if look.aside else intro(look)


def intro(look: Look) -> list[str]:
    """Why it stands apart; and where there is nothing to walk, what became of it."""
    t, unit = look.t, look.unit
    id = unit.tokens[0].id
    said = [t(f"cut.{unit.cut}")] if unit.cut else []
    if unit.kind != "word":
        reason = "typed" if unit.kind == "typed" else f"added_{unit.text.strip('[]').lower()}"
        said += [t(f"walk.{reason}", id=id), t("walk.specials", specials=look.special_ids())]
    if unit.unknown == "too_long":
        said.append(t("walk.too_long", length=len(unit.text), limit=LONGEST_WORD, id=id))
    if unit.letters and not unit.merges:
        said.append(t("walk.unmerged", count=len(unit.letters), id=id))
    if unit.kept < len(unit.tokens):
        said.append(t("walk.cutoff", limit=look.page.model.config.positions, cut=len(unit.tokens) - unit.kept))
    return said


def stop(look: Look, lookup: Lookup) -> Stop:
    """One place of the walk: what was tried there, and what came of it."""
    return Stop(lookup.start, lookup.end, lookup.id, lookup.tried, reason(look, lookup))


def merges(look: Look) -> list[Stop]:
    """The merges of the selected word: which two, and why these."""
    return [Stop(one.start, one.end, one.id, 0, why(look, one), one.ends) for one in look.unit.merges]


def why(look: Look, one: Merging) -> str:
    said = look.t("walk.merge" if one.chances > 1 else "walk.merge_only", **facts_of(one))
    return said + look.t("walk.merged") if one is look.unit.merges[-1] else said


def facts_of(one: Merging) -> dict[str, object]:
    return {"left": one.left, "right": one.right, "rank": grouped(one.rank + 1), "chances": one.chances, "id": one.id}


def reason(look: Look, lookup: Lookup) -> str:
    unit, start = look.unit, lookup.start
    if lookup.end is None:
        return failed(look, lookup)
    if lookup.rejected:
        key = "walk.found_one" if lookup.rejected == 1 else "walk.found"
    else:
        key = "walk.found_at_once" if start else "walk.whole"
    return look.t(key, start=start, rejected=lookup.rejected, piece=piece(unit, lookup), id=lookup.id)


def failed(look: Look, lookup: Lookup) -> str:
    unit, start = look.unit, lookup.start
    found = " ".join(piece(unit, found) for found in unit.lookups if found.end is not None)
    shortest = shown(("##" if start else "") + unit.text[start])
    key = ("walk.failed_after" if found else "walk.failed") + ("_one" if lookup.tried == 1 else "")
    return look.t(key, start=start, piece=shortest, tried=lookup.tried, found=found, id=unit.tokens[0].id)


def piece(unit: Unit, lookup: Lookup) -> str:
    return shown(("##" if lookup.start else "") + unit.text[lookup.start : lookup.end])
