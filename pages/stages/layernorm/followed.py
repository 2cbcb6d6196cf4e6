"""The number being followed."""

from core.derivation import Cell, Weight
from core.derivation.layernorm import derive
from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import headed, hidden, lines, number
from pages.shared.number.number_panel import Cells
from pages.stages.layernorm.look import Look

MADE = {  # the taps of a norm, each made of those before it
    "layer": ("mean", "variance", "normalized", "output"),
    "rms": ("mean_square", "normalized", "output"),
}
TAPS = {"layer": {"after": "output"}, "rms": {"after": "output", "variance": "mean_square"}}  # of a part


def followed(look: Look) -> Followed:
    t, dim, part, view, values = look.t, look.values["dim"], look.part, look.view, look.values
    id = "/".join(map(str, (values["norm"], look.row, dim, part, look.given, values["eps"], look.method)))
    where = t("follow_where", token=look.token, dim=dim, part=t(f"lanes.{part}"))
    if look.hides(look.given, part):
        return hidden(t, id, where)
    if part in ("gamma", "beta"):
        return number(look, Weight(f"{view.place}.{part}", (dim,)), id, where)
    x = Cell(view.given, (look.row, dim))
    if part == "before" and not look.ran.changed:
        return number(look, x, id, where)
    if look.as_captured:
        *before, own = cells(look, TAPS[view.kind].get(part, part))
        return number(look, own, id, where, *before)
    return ran_again(look, x, id, where)


def cells(look: Look, word: str) -> list[Cell]:
    """What the norm makes on the way to one of its taps, that one last."""
    made, dims = MADE[look.view.kind], look.page.model.tap_dims
    taps = [look.view.place.tap(tap) for tap in made[: made.index(word) + 1]]
    return [Cell(tap, (look.row, look.values["dim"])[: len(dims[tap])]) for tap in taps]


def ran_again(look: Look, x: Cell, id: str, where: str) -> Followed:
    """A number that the model itself did not come to."""
    cells, derivation = Cells(look.page), derive(look.view, look.ran, look.part, look.row, look.values["dim"])
    before = cells.lines(x, cells.derived(x)) if look.part == "before" else []
    tokens, batch = look.view.tokens, look.method == "batch"  # its mean is over tokens
    labels = (lambda i: named(tokens, i)) if batch else (lambda i: cells.t("name.dim", dim=i))
    steps = lines(look.t, derivation, "ran_again", n=len(tokens), labels=labels)
    return headed(look.t, id, where, derivation, [*before, *steps])
