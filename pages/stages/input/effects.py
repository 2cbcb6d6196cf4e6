"""What the switches do: norms, shares and cosines, in the model as it is and as switched."""

from core.edits import Edit
from core.figures.controls import Control, Controls
from core.views.input import InputView
from pages.shared.page.parts import paragraph, table, write
from pages.shared.pictures import components
from pages.shared.server import cached
from pages.stages.input.look import COMPARED, Look, view_of
from pages.stages.input.sides import alike_of, beside, cosine_matrix, pairs_said
from pages.stages.input.words import bare_share, mean_length, position_share


def effects(look: Look) -> None:
    """The model as it is, and as switched; while no switch is moved, with √d the other way round."""
    t, moved = look.t, look.view.moved
    now = t("effects.now") if moved else look.side_name("now")
    numbers = table(rows(look), ["", t("effects.own"), now], kind="sums")
    said = "".join([paragraph(t, "effects_said"), *pairs_said(look, "effects_pairs", "own", "now")])
    write(f"<div class='halves'><div>{numbers}</div><div>{said}</div></div>")
    components.controls(key="kinds", data=controls(look).data())
    ids = {"cosines_own": "own", "cosines": "now"}
    beside(look, cosine_matrix, {id: (id, side, "effects") for id, side in ids.items()})


def rows(look: Look) -> list[list[object]]:
    t, own, (a, b) = look.t, look.view.own, look.pair
    sides = (followed(look, own, "sum"), followed(look, look.view.shown, "sum" if look.view.added else "joined"))
    alike = [look.unless_asked(alike_of(look, side, a, b)) for side in ("own", "now")]
    shown = [
        [t(f"effects.{name}"), *(measured[name] for measured in sides)]
        for name in ("token", "position", "entering", "share", "bare_share")
    ]
    return [*shown, [t("effects.cosine", a=look.page.name(a), b=look.page.name(b)), *alike]]


def followed(look: Look, view: InputView, entering: str) -> dict[str, float]:
    """The measures of one side; each can be followed."""
    found = measures(*look.key, () if view is look.view.own else look.view.shown_edits, entering)
    parts = {"token": "token", "position": "position", "entering": entering}
    lengths = {name: mean_length(look, view, part, found[name]) for name, part in parts.items()}
    shares = {"share": position_share(look, view, found["share"])}
    return {**lengths, **shares, "bare_share": bare_share(look, view, found["bare_share"])}


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


def controls(look: Look) -> Controls:
    name = {kind: "either" if kind == "sum" and not look.view.added else kind for kind in COMPARED}
    options = [(kind, look.t(f"kinds.{name[kind]}")) for kind in COMPARED]
    return Controls([Control("of", look.t("compare"), options, also={"look": None})])
