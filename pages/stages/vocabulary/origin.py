"""Where 30,522 came from: what a released vocabulary is made of, counted."""

from itertools import accumulate

from core.views.vocabulary import made_of
from core.zoo import able
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.server import cached
from pages.stages.vocabulary.context import StageContext


@cached.shared
def counted() -> tuple[tuple[str, int], ...]:
    return tuple(made_of(cached.model(able("cut words")).tokenizer.pieces).items())


def draw(context: StageContext) -> None:
    t, counts = context.t, counted()
    total = sum(n for _, n in counts)
    before = accumulate((n for _, n in counts), initial=0)
    rows: list[list[object]] = [
        [t(f"origin.{kind}"), amount(n, total, after=begin)] for (kind, n), begin in zip(counts, before, strict=False)
    ]
    rows.append([t("origin.total"), amount(total, total)])
    size = f"{total:,}"
    merged = f"{dict(counts)['longer']:,}"
    write(
        heading(t, "origin", size=size),
        paragraph(t, "origin.said", size=size, merged=merged),
        table(rows, (), "named", (len(rows) - 1,)),
        paragraph(t, "origin.unpublished"),
    )
