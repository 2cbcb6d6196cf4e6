"""What a tie-break does: the same text and rule, ties decided in two ways."""

from core.text.merging import TIES
from core.views.vocabulary import parted, spelt_apart
from pages.shared.page.parts import heading, paragraph, table, write
from pages.shared.words.texts import clip
from pages.stages.vocabulary.context import StageContext

ROWS = 8
WORDS = 6


def draw(context: StageContext) -> None:
    t = context.t
    first, by_id = (context.trained(context.rule, ties) for ties in TIES)
    rows = [
        [i + 1, one.made, two.made, one.tied]
        for i, (one, two) in enumerate(zip(first.merges, by_id.merges, strict=False))
    ]
    marked = [i for i, row in enumerate(rows) if row[1] != row[2]]
    head = ("", *(t(f"tie.{ties}") for ties in TIES), t("tied.best"))
    at = parted(first, by_id)
    said = paragraph(t, "tied.same") if at is None else paragraph(t, "tied.parted", step=at)
    begin = max(0, (marked[0] if marked else 0) - 2)
    shown = rows[begin : begin + ROWS]
    here = [i - begin for i in marked if begin <= i < begin + ROWS]
    write(
        heading(t, "tied", rule=t(f"rules.{context.rule}")),
        paragraph(t, "tied.said"),
        said,
        table([[n, clip(one, 30), clip(two, 30), tied] for n, one, two, tied in shown], head, "named", here),
        "" if at is None else spelt(context, at),
    )


def spelt(context: StageContext, at: int) -> str:
    """The words that come out in other pieces, after so many merges."""
    t = context.t
    first, by_id = (context.trained(context.rule, ties) for ties in TIES)
    apart = spelt_apart(first, by_id, at)
    if not apart:
        return paragraph(t, "tied.no_word", step=at)
    rows = [[clip(word, 30), *(clip(" ".join(p), 60) for p in pair)] for word, pair in list(apart.items())[:WORDS]]
    return paragraph(t, "tied.words", step=at) + table(rows, ("", *(t(f"tie.{ties}") for ties in TIES)), "named")
