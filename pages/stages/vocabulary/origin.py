"""Where 30,522 came from: what a released vocabulary is made of, counted."""

from core.views.vocabulary import made_of
from core.zoo import able
from pages.shared.page.parts import adding_up, heading, paragraph, table, write
from pages.shared.server import cached
from pages.stages.vocabulary.context import StageContext

LONGEST = 440  # pixels of the bar of all


@cached.shared
def counted() -> tuple[tuple[str, int], ...]:
    return tuple(made_of(cached.model(able("cut words")).tokenizer.pieces).items())


def draw(context: StageContext) -> None:
    t, counts = context.t, counted()
    total = sum(n for _, n in counts)
    names = [*(kind for kind, _ in counts), "total"]
    bars = adding_up([n for _, n in counts], LONGEST)
    rows = [[t(f"origin.{name}"), bar] for name, bar in zip(names, bars, strict=True)]
    size = f"{total:,}"
    merged = f"{dict(counts)['longer']:,}"
    write(
        heading(t, "origin", size=size),
        paragraph(t, "origin.said", size=size, merged=merged),
        table(rows, (), "named", (len(rows) - 1,)),
        paragraph(t, "origin.unpublished"),
    )
