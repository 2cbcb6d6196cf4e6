"""The page as a few lines of Python."""

from pages.shared.page.opened import Repeat
from pages.stages.size.context import StageContext
from pages.stages.size.followed import followed


def repeat(context: StageContext) -> Repeat:
    """The counts are whole numbers of any size; the number is the one that the chosen part comes to."""
    ids = [count.id for count in context.totals[context.part]] if context.part in context.totals else [context.part]
    return Repeat(
        matrix=f"""from core.derivation.size import derive_total
from core.lessons.size import Shape
from core.views.size import SizeView

shape = {context.shape!r}
counts = SizeView({context.view.preset!r}, shape, shape, {context.view.precision!r}).counts
matrix = [[count.value] for several in counts.values() for count in several]""",
        followed=followed(context),
        number=f"""chosen = [count for count in counts[{context.show!r}] if count.id in {ids!r}]
made = derive_total(chosen, sum(count.value for count in chosen))""",
        columns=("value",),
    )
