"""Side by side: the three algorithms on the same text."""

from collections.abc import Collection, Mapping, Sequence
from statistics import median

from core.figures.ranking import Entry, Ranked, Ranking
from core.text.dictionary import counted
from core.text.merging import RULES, Merge, Rule, train
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts, clip
from pages.stages.vocabulary.context import StageContext

ROWS = 10
WIDE = 24  # characters of a piece


def draw(context: StageContext) -> None:
    t = context.t
    trained = [context.trained(rule, context.ties) for rule in RULES]
    first = [training.merges[:ROWS] for training in trained]
    score, frequency = ({merge.made for merge in merges} for merges in first[:2])
    write(heading(t, "three"), paragraph(t, "three.said"), apart(t, score - frequency, frequency - score, first))
    lists = [
        Ranked(
            t(f"rules.{rule}"),
            [entry(merge, marked) for merge in merges],
            t("three.size", n=grouped(len(training.vocabulary))),
        )
        for rule, training, merges, marked in zip(
            RULES, trained, first, (score - frequency, frequency - score, ()), strict=True
        )
    ]
    if any(first):
        components.ranking(key="three", data=Ranking(lists, t("three.label"), t("three.caption")).data())
    write(paragraph(t, "three.unigram"), *useful(t))


def apart(t: Texts, by_score: set[str], by_frequency: set[str], first: Sequence[Sequence[Merge]]) -> str:
    """What only one of the two rules of WordPiece makes, among the first merges of each."""
    if not any(first):
        return ""
    score, frequency = (clip(t("comma").join(sorted(only)), 60) for only in (by_score, by_frequency))
    rows = dict(zip(("by_score", "by_frequency"), map(len, first), strict=False))
    if by_score or by_frequency:
        key = "apart" if by_score and by_frequency else "apart_score" if by_score else "apart_frequency"
        return paragraph(t, f"three.{key}", score=score, frequency=frequency, **rows)
    return paragraph(t, "three.same" if rows["by_score"] > 1 else "three.same_one", rows=rows["by_score"])


def entry(merge: Merge, marked: Collection[str]) -> Entry:
    return Entry(
        clip(merge.made, WIDE),
        merge.made.replace("##", ""),
        clip(f"{merge.left} + {merge.right}", WIDE),
        merge.made in marked,
    )


# ---- rare, and useful?


@cached.shared
def of_books() -> tuple[tuple[Merge, ...], tuple[Merge, ...]]:
    """The first merges among the words of two English books, by score and by frequency."""
    return first_merges(counted(), "score"), first_merges(counted(), "frequency")


def first_merges(words: Mapping[str, int], rule: Rule) -> tuple[Merge, ...]:
    start = len(train(words, rule, size=0).vocabulary)
    return train(words, rule, size=start + ROWS).merges[:ROWS]


def useful(t: Texts) -> list[str]:
    """How often the pairs that each rule prefers occur: the score is said to make pieces that are rare but useful."""
    merges = of_books()
    times = [[merge.candidates[0].frequency for merge in each] for each in merges]
    facts = {"words": grouped(len(counted())), "rows": ROWS, "least": grouped(min(times[0]))}
    facts |= {"score": grouped(round(median(times[0]))), "frequency": grouped(round(median(times[1])))}
    most = max(max(each) for each in times)
    rows = [
        [i + 1, *(cell for one in pair for cell in (one.made, amount(one.candidates[0].frequency, most)))]
        for i, pair in enumerate(zip(*merges, strict=True))
    ]
    head = ("", *(cell for rule in ("score", "frequency") for cell in (t(f"rules.{rule}"), "")))
    return [
        f"<h3>{t.html('three.useful')}</h3>",
        paragraph(t, "three.useful_said", **facts),
        table(rows, head, "named"),
    ]
