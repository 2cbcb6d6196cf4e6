"""The switches, and what follows from them: √d, positions, adding or concatenating."""

from core.figures.controls import Control, Controls
from core.views.input import multiplies
from pages.shared.page.parts import heading, paragraph, write
from pages.shared.page.stage import Section, piece
from pages.shared.pictures import components
from pages.stages.input.context import StageContext
from pages.stages.input.effects import effects

SWITCHES = ("sqrt", "positions", "join")
FOLLOWS = "effects"  # the piece that the switches move


def draw(context: StageContext) -> None:
    t, own = context.t, context.view.own
    does = "switches_has" if multiplies(context.page.model) else "switches_has_not"
    facts = {"model": context.page.model_name, "d_model": own.d_model, "root": own.d_model**0.5}
    write(heading(t, "switches"), paragraph(t, does, **facts), paragraph(t, "switches_said"))
    components.controls(key="controls", data=controls(context).data())
    piece(context, FOLLOWS, effects)


def controls(context: StageContext) -> Controls:
    t, alone = context.t, {"k": None, "look": None}
    switch = [("on", t("on")), ("off", t("off"))]
    return Controls(
        [
            Control("sqrt", t("sqrt"), switch, also=alone),
            Control("positions", t("positions"), switch, also=alone),
            Control("join", t("join"), [(id, t(f"joins.{id}")) for id in ("add", "concat")]),
        ]
    )


SECTION = Section(draw, pieces={FOLLOWS: (*SWITCHES, "of")})
