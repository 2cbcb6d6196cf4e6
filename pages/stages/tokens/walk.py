"""The walk through one unit, every stop of it, in the visitor's language; nothing of a veiled one."""

from core.figures.walk import Stop, Walk, WalkWords
from core.text.wordpiece import LONGEST_WORD
from core.views.tokens import Lookup, Merging, Unit
from pages.shared.page.parts import repaired
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts
from pages.stages.tokens.context import StageContext, shown


def walk(context: StageContext) -> Walk:
    t, unit = context.t, context.unit
    stops = [] if context.hidden else [*(stop(context, one) for one in unit.lookups), *merges(context)]
    return Walk(
        unit=context.word,
        title=t(title_key(context)),
        value=shown(unit.text, 22),
        where=where(context),
        intro=[t("walk.beside")] if context.aside else [] if context.hidden else intro(context),
        text=unit.text if context.hidden else (unit.letters or unit.text) if stops else None,
        stops=stops,
        reached=unit.lookups[0].end if asked_first(context) else None,
        left=left(context) if asked_first(context) else "",
        marks=t("walk.marks") if len(stops) > 1 and not unit.merges else "",
        check=t("walk.check", word=shown(unit.text)) if len(stops) > 1 and comes_back(unit) else "",
        note=repaired(context),
        veiled=t("walk.veiled_beside" if context.aside else "walk.veiled") if context.hidden else "",
        words=WalkWords(**{name: t(f"walk.{name}") for name in ("no", "there", "less", "none", "gap")}),
    )


def title_key(context: StageContext) -> str:
    """A character that is a token is no word; neither is what the model adds. The one beside is no word of the text."""
    cut = context.tokenizer.cuts_words and context.unit.kind == "word"
    if context.aside:
        return "walk.title_beside"
    return "walk.title" if cut else "walk.title_token"


def where(context: StageContext) -> str:
    unit = context.unit
    if context.aside or unit.kind == "added":
        return context.t("walk.where_beside" if context.aside else "walk.where_added")
    return context.t("walk.where", start=unit.start, end=unit.end)


def comes_back(unit: Unit) -> bool:
    """Whether its pieces, put together again, are the word."""
    if unit.merges:
        return unit.merges[-1].ends[-1] == len(unit.letters)
    return unit.text == "".join(t.text.removeprefix("##") if i else t.text for i, t in enumerate(unit.tokens))


def asked_first(context: StageContext) -> bool:
    """Whether it is asked how many are looked up until its first piece is found."""
    return context.hidden and bool(context.unit.lookups)


def left(context: StageContext) -> str:
    """What the question says of a veiled walk: its first piece; the letters behind that are looked up next."""
    first, text = context.unit.lookups[0], context.unit.text
    return context.t("walk.left", piece=shown(text[: first.end]), rest=shown(f"##{text[first.end :]}"))


def intro(context: StageContext) -> list[str]:
    """Why it stands apart; and where there is nothing to walk, what became of it."""
    t, unit = context.t, context.unit
    id = unit.tokens[0].id
    said = [t(f"cut.{unit.cut}")] if unit.cut else []
    if unit.kind != "word":
        said += [t(why_special(t, unit), token=unit.text, id=id), t("walk.specials", specials=context.special_ids())]
    if unit.unknown == "too_long":
        said.append(t("walk.too_long", length=len(unit.text), limit=LONGEST_WORD, id=id))
    if unit.letters and not unit.merges:
        said.append(t("walk.unmerged", count=len(unit.letters), id=id))
    if unit.kept < len(unit.tokens):
        said.append(t("walk.cutoff", limit=context.page.model.config.positions, cut=len(unit.tokens) - unit.kept))
    return said


def why_special(t: Texts, unit: Unit) -> str:
    """Which words say where a special token comes from; a model from a folder may call its own as it likes: <s>."""
    own = f"walk.added_{unit.text.strip('[]').lower()}"
    return "walk.typed" if unit.kind == "typed" else own if own in t else "walk.added"


def stop(context: StageContext, lookup: Lookup) -> Stop:
    """One place of the walk: what was tried there, and what came of it."""
    return Stop(lookup.start, lookup.end, lookup.id, lookup.tried, reason(context, lookup))


def merges(context: StageContext) -> list[Stop]:
    """The merges of the selected word: which two, and why these."""
    return [Stop(one.start, one.end, one.id, 0, why(context, one), one.ends) for one in context.unit.merges]


def why(context: StageContext, one: Merging) -> str:
    said = context.t("walk.merge" if one.chances > 1 else "walk.merge_only", **facts_of(one))
    return said + context.t("walk.merged") if one is context.unit.merges[-1] else said


def facts_of(one: Merging) -> dict[str, object]:
    return {"left": one.left, "right": one.right, "rank": grouped(one.rank + 1), "chances": one.chances, "id": one.id}


def reason(context: StageContext, lookup: Lookup) -> str:
    unit, start = context.unit, lookup.start
    if lookup.end is None:
        return failed(context, lookup)
    if lookup.rejected:
        key = "walk.found_one" if lookup.rejected == 1 else "walk.found"
    else:
        key = "walk.found_at_once" if start else "walk.whole"
    return context.t(key, start=start, rejected=lookup.rejected, piece=piece(unit, lookup), id=lookup.id)


def failed(context: StageContext, lookup: Lookup) -> str:
    unit, start = context.unit, lookup.start
    found = " ".join(piece(unit, found) for found in unit.lookups if found.end is not None)
    shortest = shown(("##" if start else "") + unit.text[start])
    key = ("walk.failed_after" if found else "walk.failed") + ("_one" if lookup.tried == 1 else "")
    return context.t(key, start=start, piece=shortest, tried=lookup.tried, found=found, id=unit.tokens[0].id)


def piece(unit: Unit, lookup: Lookup) -> str:
    return shown(("##" if lookup.start else "") + unit.text[lookup.start : lookup.end])
