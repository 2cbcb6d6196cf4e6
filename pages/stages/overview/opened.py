"""Open it: from one depth to the next, and the cosine of two states; the code of the stacks, the shapes."""

from functools import partial

from core.figures.picture import veiled
from core.model.decoder import DecoderLayer
from core.model.encoder import BertEncoder, EncoderLayer
from core.model.transformer import Transformer
from core.views.overview import Depth
from pages.shared import compare
from pages.shared.cells import Cells
from pages.shared.numbers import short
from pages.shared.open_it import Opened, csv
from pages.stages.overview.look import Look
from pages.stages.overview.repeat import repeat

FORMULAS = {
    "minilm": (r"x^{(0)} = \mathrm{LN}(e + p + s)", r"x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big)"),
    "translator": (
        r"x^{(0)} = \sqrt{d}\, e + p, \qquad x^{(l)} = \mathrm{layer}_l\big(x^{(l-1)}\big)",
        r"y^{(0)} = \sqrt{d}\, e + p, \qquad y^{(l)} = \mathrm{layer}_l\big(y^{(l-1)}, x^{(L)}\big)",
    ),
}
COSINE = r"\cos(x, y) = \frac{x \cdot y}{\lVert x\rVert\,\lVert y\rVert}"
CODE = {
    "minilm": (BertEncoder.forward, EncoderLayer.forward),
    "translator": (
        Transformer.forward,
        Transformer.read,
        Transformer.write,
        EncoderLayer.forward,
        DecoderLayer.forward,
    ),
}


def opened(look: Look) -> Opened:
    page, view = look.page, look.view
    depth, name = view.depths[look.depth], page.address.model
    array = veiled(depth.states, look.veil(look.depth))
    return Opened(
        formula=r"\begin{aligned} & " + r" \\ & ".join([*FORMULAS[name], cosine(look)]) + r" \end{aligned}",
        code=CODE[name],
        shapes=[shape for depth in view.depths for shape in shapes(look, depth)],
        compare=lambda: (
            page.t(page.own("compared"), count=view.layers + 1),
            compare.state_difference(name, page.text),
        ),
        table=lambda: csv(array, view.tokens, [str(i) for i in range(array.shape[1])]),
        table_name=f"{depth.taps[0]}.csv",
        captured=not look.veiled,
        repeat=partial(repeat, look),
    )


def cosine(look: Look) -> str:
    """The formula, with the numbers of the pair at this depth."""
    if look.hidden(look.depth):
        return COSINE
    value = Cells(look.page).derived(look.cosine(look.depth, *look.pair)).steps[-1]
    dot, left, right = (short(float(value.parts[name])) for name in ("dot", "one", "other"))
    return COSINE + rf" = \frac{{{dot}}}{{{left} \cdot {right}}} = {short(value.value)}"


def shapes(look: Look, depth: Depth) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Of each tap of a depth: its name, its dimensions, its shape."""
    view = look.view
    sizes = {"token": view.read, "source": view.read, "target": len(view.rows) - view.read}
    dims = [(tap, look.page.model.tap_dims[tap]) for tap in depth.taps]
    return [(tap, names, (sizes[names[0]], depth.states.shape[1])) for tap, names in dims]
