"""What the switches do: norms, shares and cosines, in the model as it is and as switched."""

from core.edits import Edit
from core.figures.controls import Control, Controls
from core.views.input import InputView
from pages.shared.page.parts import paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.input import downstream
from pages.stages.input.context import COMPARED, StageContext, view_of
from pages.stages.input.sides import alike_of, beside, cosine_matrix, pairs_said
from pages.stages.input.words import bare_share, mean_length, position_share


def effects(context: StageContext) -> None:
    """The model as it is, and as switched; while no switch is moved, with √d the other way round."""
    t, moved = context.t, context.view.moved
    now = t("effects.now") if moved else context.side_name("now")
    numbers = table(rows(context), ["", t("effects.own"), now], kind="sums")
    weights = context.values["of"] == "weights"
    compared = downstream.said(context) if weights else alike_said(context)
    said = "".join([*compared, *downstream.translation(context)])
    if not moved:
        write(paragraph(t, "switches.example", other=context.other_name))
    write(f"<div class='halves'><div>{numbers}</div><div>{said}</div></div>")
    components.controls(key="kinds", data=controls(context, weights).data())
    if weights:
        return downstream.matrices(context)
    ids = {"cosines_own": "own", "cosines": "now"}
    beside(context, cosine_matrix, {id: (id, side, "effects") for id, side in ids.items()})


def alike_said(context: StageContext) -> list[str]:
    return [paragraph(context.t, "effects_said"), *pairs_said(context, "effects_pairs", "own", "now")]


def rows(context: StageContext) -> list[list[object]]:
    t, own, (a, b) = context.t, context.view.own, context.pair
    sides = (
        followed(context, own, "sum"),
        followed(context, context.view.shown, "sum" if context.view.added else "joined"),
    )
    alike = [context.unless_asked(alike_of(context, side, a, b)) for side in ("own", "now")]
    shown = [
        [t(f"effects.{name}"), *(measured[name] for measured in sides)]
        for name in ("token", "position", "entering", "share", "bare_share")
    ]
    return [*shown, [t("effects.cosine", a=context.page.name(a), b=context.page.name(b)), *alike]]


def followed(context: StageContext, view: InputView, entering: str) -> dict[str, float]:
    """The measures of one side; each can be followed."""
    found = measures(*context.key, () if view is context.view.own else context.view.shown_edits, entering)
    parts = {"token": "token", "position": "position", "entering": entering}
    lengths = {name: mean_length(context, view, part, found[name]) for name, part in parts.items()}
    shares = {"share": position_share(context, view, found["share"])}
    return {**lengths, **shares, "bare_share": bare_share(context, view, found["bare_share"])}


@cached.shared
def measures(name: str, text: str, edits: tuple[Edit, ...], entering: str) -> dict[str, float]:
    view = view_of(name, text, edits)
    return {
        "token": float(view.norms("token").mean()),
        "position": float(view.norms("position").mean()),
        "entering": float(view.norms(entering).mean()),
        "share": view.share(),
        "bare_share": view.bare_share(),
    }


def controls(context: StageContext, weights: bool) -> Controls:
    """What is compared, one pair of pictures at a time; of attention, which head."""
    name = {kind: "either" if kind == "sum" and not context.view.added else kind for kind in COMPARED}
    options = [(kind, context.t(f"kinds.{name[kind]}")) for kind in COMPARED]
    options.append(("weights", context.t("kinds.weights")))
    heads = [downstream.head(context)] if weights else []
    return Controls([Control("of", context.t("compare"), options, also={"look": None}), *heads])
