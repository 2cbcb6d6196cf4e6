"""The number being followed."""

from core.derivation import Cell, Weight
from core.derivation.layernorm import derive
from core.figures.followed import Followed
from core.text.token import named
from pages.shared.number.follow import headed, hidden, lines, number
from pages.shared.number.number_panel import Cells
from pages.stages.layernorm.context import StageContext

MADE = {  # the taps of a norm, each made of those before it
    "layer": ("mean", "variance", "normalized", "output"),
    "rms": ("mean_square", "normalized", "output"),
}
TAPS = {"layer": {"after": "output"}, "rms": {"after": "output", "variance": "mean_square"}}  # of a part


def followed(context: StageContext) -> Followed:
    t, dim, part, view, values = context.t, context.values["dim"], context.part, context.view, context.values
    id = "/".join(map(str, (values["norm"], context.row, dim, part, context.given, values["eps"], context.method)))
    where = t("follow_where", token=context.token, dim=dim, part=context.lane(part))
    if context.hides(context.given, part):
        return hidden(t, id, where)
    if part in ("gamma", "beta"):
        return number(context, Weight(f"{view.place}.{part}", (dim,)), id, where)
    x = Cell(view.given, (context.row, dim))
    if part == "before" and not context.ran.changed:
        return number(context, x, id, where)
    if context.as_captured:
        *before, own = cells(context, TAPS[view.kind].get(part, part))
        return number(context, own, id, where, *before)
    return ran_again(context, x, id, where)


def cells(context: StageContext, word: str) -> list[Cell]:
    """What the norm makes on the way to one of its taps, that one last."""
    made, dims = MADE[context.view.kind], context.page.model.tap_dims
    taps = [context.view.place.tap(tap) for tap in made[: made.index(word) + 1]]
    return [Cell(tap, (context.row, context.values["dim"])[: len(dims[tap])]) for tap in taps]


def ran_again(context: StageContext, x: Cell, id: str, where: str) -> Followed:
    """A number that the model itself did not come to."""
    cells, derivation = (
        Cells(context.page),
        derive(context.view, context.ran, context.part, context.row, context.values["dim"]),
    )
    before = cells.lines(x, cells.derived(x)) if context.part == "before" else []
    tokens, batch = context.view.tokens, context.method == "batch"  # its mean is over tokens
    labels = (lambda i: named(tokens, i)) if batch else (lambda i: cells.t("name.dim", dim=i))
    steps = lines(context.t, derivation, "ran_again", n=len(tokens), labels=labels)
    return headed(context.t, id, where, derivation, [*before, *steps])
