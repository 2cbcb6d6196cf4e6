"""Open it: from one depth to the next, and the cosine of two states; the code of the stacks, the shapes."""

import re
from collections.abc import Callable

from core.figures.picture import veiled
from core.zoo import Model
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.overview.context import StageContext
from pages.stages.overview.repeat import repeat

LAYER = r"x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big)"
WRITTEN = r"y^{(0)} = \sqrt{d}\, e + p, \qquad y^{(l)} = \mathrm{layer}_l\big(y^{(l-1)}, x^{(L)}\big)"
COSINE = r"\cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert}"


def opened(context: StageContext) -> Opened:
    page, view = context.page, context.view
    depth, name = view.depths[context.depth], page.address.model
    array = veiled(depth.states, context.veil(context.depth))
    return Opened(
        formula=r"\begin{aligned} & "
        + r" \\ & ".join([*formulas(context.page.model), cosine(context)])
        + r" \end{aligned}",
        code=code(context.page.model),
        shapes=shapes(context),
        compare=lambda: (
            page.t("compared", count=view.layers + 1, most=short(compare.largest_state(name, page.text))),
            compare.state_difference(name, page.text),
        ),
        table=lambda: csv(array, view.tokens, [str(i) for i in range(array.shape[1])]),
        table_name=f"{depth.taps[0]}.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def formulas(model: Model) -> list[str]:
    """What enters the first layer, and what each layer makes of it."""
    summands = [("embedding.position", "p"), ("embedding.segment", "s")]
    row = r"\sqrt{d}\, e" if "embedding.scaled" in model.tap_dims else "e"
    entered = " + ".join([row, *(name for tap, name in summands if tap in model.tap_dims)])
    if "embedding.norm.output" in model.tap_dims:
        entered = rf"\mathrm{{LN}}({entered})"
    return [rf"x^{{(0)}} = {entered}, \qquad {LAYER}", *([WRITTEN] if model.translates else [])]


def code(model: Model) -> tuple[Callable[..., object], ...]:
    """The forward passes that ran: the network's, a layer's of each stack."""
    network = type(model.network)
    whole = [getattr(network, name) for name in ("forward", "read", "write") if hasattr(network, name)]
    layers = dict.fromkeys(type(model.parts[f"{stack}.0"]).forward for stack in model.stacks)
    return *whole, *layers


def cosine(context: StageContext) -> str:
    """The formula, with the numbers of the pair at this depth."""
    if context.hidden(context.depth):
        return COSINE
    value = Cells(context.page).derived(context.cosine(context.depth, *context.pair)).steps[-1]
    dot, left, right = (short(float(value.parts[name])) for name in ("dot", "one", "other"))
    return COSINE + rf" = \frac{{{dot}}}{{{left} \cdot {right}}} = {short(value.value)}"


INSIDE = r"(embedding\.|\w+\.0\.(attention\.(query|key|value|scores|weights|context)|feedforward\.\w+)$)"


def shapes(context: StageContext) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """From the rows of the table to the probabilities: each tap's name, its dimensions, its shape. Of the first layer
    what is inside, of the others what leaves them."""
    view, model = context.view, context.page.model
    config, first = model.config, next(iter(model.stacks))
    states = {tap for depth in view.depths for tap in depth.taps}
    sizes = {"token": view.read, "source": view.read, "target": len(view.rows) - view.read, "query": view.read}
    sizes |= {"key": view.read, "head": config.heads, "group": config.groups, "d_head": config.d_head}
    sizes |= {"d_model": config.d_model, "d_ff": config.d_ff, "vocab": config.vocab}

    def passed(tap: str) -> bool:
        inside = re.match(INSIDE, tap) and tap.split(".")[0] in ("embedding", first) and ".norm" not in tap
        return bool(inside) or tap in states or tap.startswith("output.")

    dims = {tap: names for tap, names in model.tap_dims.items() if passed(tap) and set(names) <= sizes.keys()}
    return [(tap, names, tuple(sizes[name] for name in names)) for tap, names in dims.items()]
