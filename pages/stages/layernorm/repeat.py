"""The page as a few lines of Python."""

from core.views.layernorm import LANES
from pages.shared.page.opened import Repeat
from pages.stages.layernorm.context import GIVEN, StageContext
from pages.stages.layernorm.followed import followed


def repeat(context: StageContext) -> Repeat:
    values, row, (times, plus) = context.values, context.row, GIVEN[context.given]
    changed = f"{context.method!r}, {times}, {plus}, {context.epsilon(values['eps'])!r}"
    learned = ", ".join(f"view.{name}" for name in context.view.learned)
    return Repeat(
        matrix=f"""from core.views.layernorm import norm_view, places

place = places(model)[{values["norm"] - 1}]
view = norm_view(run, model, place)
ran = view.ran({changed})
lanes = [getattr(ran, lane)[{row}] for lane in {tuple(LANES)!r}]
matrix = np.stack([*lanes, {learned}])""",
        followed=followed(context),
        number=f"""from core.derivation.layernorm import derive as derive_norm

made = derive_norm(view, ran, {context.part!r}, {row}, {values["dim"]})""",
    )
