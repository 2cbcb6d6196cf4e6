"""Open it: the formula with this cell's numbers, the code, the shapes."""

from collections.abc import Sequence

from core.model.places import attention_at
from core.views.attention import AttentionView
from core.zoo import Model
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.page.sources import attended
from pages.shared.words.numbers import short
from pages.stages.attention.context import StageContext, axes
from pages.stages.attention.picture import plane
from pages.stages.attention.repeat import repeat

Shape = tuple[str, tuple[str, ...], tuple[int, ...]]  # a tap, its dimensions, its sizes
PARTS = ("query", "key", "value", "scores", "mask", "weights", "context")
FORMULAS = {
    "scores": r"\frac{q_i \cdot k_j}{\sqrt{d_k}}",
    "weights": r"\mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}}\right)",
    "contribution": r"\frac{\alpha_{ij}\,\lVert v_j W^O\rVert}{\sum_l \alpha_{il}\,\lVert v_l W^O\rVert}",
    "context": r"\sum_j \alpha_{ij} v_j",
}
MADE = {"query": ("q_i", "i", "Q"), "key": ("k_j", "j", "K"), "value": ("v_j", "j", "V")}


def opened(context: StageContext) -> Opened:
    page, view, mode = context.page, context.view, context.show
    tap, config = attention_at(context.kind, context.layer - 1), page.model.config
    columns = view.key_tokens if axes(mode)[1] == "k" else [str(i) for i in range(view.d_head)]
    return Opened(
        formula=formula(context),
        code=attended(page.model.parts[str(tap)]),
        shapes=shapes(page.model, view, PARTS),
        compare=lambda: (
            page.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(page.address.model, page.text),
        ),
        table=lambda: csv(plane(context, mode, context.head), context.row_tokens, columns),
        table_name=f"{context.kind}-{mode}-layer-{context.layer}-head-{context.head}.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def shapes(model: Model, view: AttentionView, parts: Sequence[str]) -> list[Shape]:
    """The tap of each array, as the scores have it, its dimensions and its sizes."""
    taps = [(view.taps[part], getattr(view, part).shape) for part in parts]
    return [(tap, model.tap_dims[tap], shape) for tap, shape in taps]


def formula(context: StageContext) -> str:
    """The general formula and, under it, this cell's numbers; none for a veiled row."""
    mode, view, row = context.show, context.view, context.cell[0]
    general = made(context, mode) if mode in MADE else FORMULAS[mode]
    if row in context.veil and (context.square or mode == "context"):
        return general
    *before, last = Cells(context.page).derived(context.number).steps
    part = {name: short(value) for name, value in last.parts.items() if isinstance(value, float)}
    if mode == "scores":
        numbers = rf"\frac{{{short(before[0].value)}}}{{\sqrt{{{view.d_head}}}}} ="
    elif mode == "weights":
        numbers = rf"\frac{{e^{{{part['score']}}}}}{{\sum_l e^{{s_l}}}} = \frac{{{part['power']}}}{{{part['total']}}} ="
    elif mode == "contribution":
        numbers = rf"\frac{{{part['own']}}}{{{part['total']}}} ="
    elif last.id == "bias":
        numbers = rf"{short(before[0].value)} + ({part['bias']}) ="
    elif last.id == "rotated":
        numbers = rf"{part['x']} \cdot {part['cos']} + ({part['other']}) \cdot ({part['sin']}) ="
    else:
        numbers = ""
    return rf"\begin{{aligned}} & {general} \\ & = {numbers} {short(last.value)} \end{{aligned}}"


def made(context: StageContext, mode: str) -> str:
    """How a query, a key or a value is made: with a bias where there is one, of the head's group where heads share it,
    turned by its position where the model does that."""
    (name, token, letter), config = MADE[mode], context.page.model.config
    group = "_g" if config.groups and mode != "query" else ""
    vector = rf"x_{token} W^{letter}{group}" + (rf" + b^{letter}{group}" if config.bias else "")
    turned = context.view.turned and mode != "value"
    return f"{name} = " + (rf"R_{token}({vector})" if turned else vector)
