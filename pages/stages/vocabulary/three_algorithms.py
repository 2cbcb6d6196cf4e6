"""Side by side: the three algorithms on the same text."""

from collections.abc import Mapping
from statistics import median

from core.text.dictionary import counted
from core.text.merging import RULES, Merge, Rule, train
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts, clip
from pages.stages.vocabulary.context import StageContext

ROWS = 10
WIDE = 40  # characters of a cell


def draw(context: StageContext) -> None:
    t = context.t
    trained = [context.trained(rule, context.ties) for rule in RULES]
    rows: list[list[object]] = []
    for i in range(min(ROWS, max(len(training.merges) for training in trained))):
        merges = [training.merges[i] if i < len(training.merges) else None for training in trained]
        rows.append([i + 1, *(f"{m.left} + {m.right} → {m.made}" if m else "–" for m in merges)])
    rows.append([t("three.size"), *(f"{len(training.vocabulary):,}" for training in trained)])
    first = [training.merges[:ROWS] for training in trained]
    marked = [{merge.made for merge in merges} for merges in first]
    said = paragraph(t, "three.said")
    if any(marked):
        only = [t("comma").join(sorted(marked[i] - marked[1 - i])) for i in (0, 1)]
        key = "three.same" if not any(only) else "three.apart"
        said += paragraph(
            t, key, score=clip(only[0], 60) or "–", frequency=clip(only[1], 60) or "–", rows=len(rows) - 1
        )
    head = ("", *(t(f"rules.{rule}") for rule in RULES))
    shown = [[row[0], *(clip(str(cell), WIDE) for cell in row[1:])] for row in rows]
    write(heading(t, "three"), said, table(shown, head, "named"), *useful(t))


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
