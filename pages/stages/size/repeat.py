"""The page as a few lines of Python."""

from pages.shared.page.notebook import Repeat
from pages.stages.size.followed import followed
from pages.stages.size.look import Look


def repeat(look: Look) -> Repeat:
    """The counts are whole numbers of any size; the number is the one that the chosen part comes to."""
    ids = [count.id for count in look.totals[look.part]] if look.part in look.totals else [look.part]
    return Repeat(
        matrix=f"""from core.derivation.size import derive_total
from core.lessons.size import Shape
from core.views.size import SizeView

shape = {look.shape!r}
counts = SizeView({look.view.preset!r}, shape, shape, {look.view.precision!r}).counts
matrix = [[count.value] for several in counts.values() for count in several]""",
        followed=followed(look),
        number=f"""chosen = [count for count in counts[{look.show!r}] if count.id in {ids!r}]
made = derive_total(chosen, sum(count.value for count in chosen))""",
        columns=("value",),
    )
