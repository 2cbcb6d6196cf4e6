"""What a tie-break does: the same text and rule, ties decided in two ways."""

from core.figures.ranking import Entry, Ranked, Ranking
from core.text.merging import TIES, Merge, Training
from core.views.vocabulary import parted, spelt_apart
from pages.shared.page.parts import heading, paragraph, pieces, table, write
from pages.shared.pictures import components
from pages.shared.words.texts import Texts, clip
from pages.stages.vocabulary.context import StageContext

ROWS = 8
WORDS = 6


def draw(context: StageContext) -> None:
    t = context.t
    first, by_id = (context.trained(context.rule, ties) for ties in TIES)
    at = parted(first, by_id)
    write(heading(t, "tied", rule=t(f"rules.{context.rule}")), paragraph(t, "tied.said"), outcome(t, first, by_id))
    if first.merges:
        components.ranking(key="tied", data=ranking(context, max(0, (at or 1) - 3)).data())
    if at is not None:
        write(spelt(context, at))


def outcome(t: Texts, first: Training, by_id: Training) -> str:
    """When the two vocabularies part, and whether they still differ at the end."""
    at = parted(first, by_id)
    if at is None:
        return paragraph(t, "tied.same")
    last = max(len(each.merges) for each in (first, by_id))
    ends = [{*each.alphabet, *(merge.made for merge in each.merges)} for each in (first, by_id)]
    return paragraph(t, "tied.parted_once" if ends[0] == ends[1] else "tied.parted", step=at, last=last)


def ranking(context: StageContext, begin: int) -> Ranking:
    """What each rule merges, from a little before they part."""
    t = context.t
    shown = [context.trained(context.rule, ties).merges[begin : begin + ROWS] for ties in TIES]
    made = [{merge.made for merge in merges} for merges in shown]
    lists = [
        Ranked(t(f"tie.{ties}"), [entry(t, merge, merge.made not in made[1 - i]) for merge in shown[i]])
        for i, ties in enumerate(TIES)
    ]
    return Ranking(lists, t("tied.label"), t("tied.caption"), begin + 1)


def entry(t: Texts, merge: Merge, marked: bool) -> Entry:
    note = t("tied.of", n=merge.tied) if merge.tied > 1 else ""
    return Entry(clip(merge.made, 30), merge.made, note, marked)


def spelt(context: StageContext, at: int) -> str:
    """The words that come out in other pieces, after so many merges."""
    t = context.t
    first, by_id = (context.trained(context.rule, ties) for ties in TIES)
    apart = spelt_apart(first, by_id, at)
    if not apart:
        return paragraph(t, "tied.no_word", step=at)
    rows = [[clip(word, 30), *map(pieces, pair)] for word, pair in list(apart.items())[:WORDS]]
    return paragraph(t, "tied.words", step=at) + table(rows, ("", *(t(f"tie.{ties}") for ties in TIES)), "named")
