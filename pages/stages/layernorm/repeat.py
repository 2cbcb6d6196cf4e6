"""The page as a few lines of Python."""

from core.views.layernorm import LANES
from pages.shared.page.notebook import Repeat
from pages.stages.layernorm.followed import followed
from pages.stages.layernorm.look import GIVEN, Look


def repeat(look: Look) -> Repeat:
    values, row, (times, plus) = look.values, look.row, GIVEN[look.given]
    changed = f"{look.method!r}, {times}, {plus}, {look.epsilon(values['eps'])!r}"
    learned = ", ".join(f"view.{name}" for name in look.view.learned)
    return Repeat(
        matrix=f"""from core.views.layernorm import norm_view, places

place = places(model)[{values["norm"] - 1}]
view = norm_view(run, model, place)
ran = view.ran({changed})
lanes = [getattr(ran, lane)[{row}] for lane in {tuple(LANES)!r}]
matrix = np.stack([*lanes, {learned}])""",
        followed=followed(look),
        number=f"""from core.derivation.layernorm import derive as derive_norm

made = derive_norm(view, ran, {look.part!r}, {row}, {values["dim"]})""",
    )
