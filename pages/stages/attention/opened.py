"""Open it: the formula with this cell's numbers, the code, the shapes."""

from core.model.attention import MultiHeadAttention
from core.model.places import attention_at
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.attention.look import Look, axes
from pages.stages.attention.picture import plane
from pages.stages.attention.repeat import repeat

PARTS = ("query", "key", "value", "scores", "mask", "weights", "context")
FORMULAS = {
    "scores": r"\frac{q_i \cdot k_j}{\sqrt{d_k}}",
    "weights": r"\mathrm{softmax}_j\!\left(\frac{q_i \cdot k_j}{\sqrt{d_k}}\right)",
    "contribution": r"\frac{\alpha_{ij}\,\lVert v_j W^O\rVert}{\sum_l \alpha_{il}\,\lVert v_l W^O\rVert}",
    "query": r"q_i = x_i W^Q + b^Q",
    "key": r"k_j = x_j W^K + b^K",
    "value": r"v_j = x_j W^V + b^V",
    "context": r"\sum_j \alpha_{ij} v_j",
}


def opened(look: Look) -> Opened:
    page, view, mode = look.page, look.view, look.show
    tap, config = attention_at(look.kind, look.layer - 1), page.model.config
    columns = view.key_tokens if axes(mode)[1] == "k" else [str(i) for i in range(view.d_head)]
    return Opened(
        formula=formula(look),
        code=(MultiHeadAttention.forward, MultiHeadAttention.score, MultiHeadAttention.split, MultiHeadAttention.join),
        shapes=[(tap.tap(part), page.model.tap_dims[tap.tap(part)], getattr(view, part).shape) for part in PARTS],
        compare=lambda: (
            page.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(page.address.model, page.text),
        ),
        table=lambda: csv(plane(look, mode, look.head), look.row_tokens, columns),
        table_name=f"{look.kind}-{mode}-layer-{look.layer}-head-{look.head}.csv",
        captured=not look.veiled,
        repeat=repeat,
    )


def formula(look: Look) -> str:
    """The general formula and, under it, this cell's numbers; none for a veiled row."""
    mode, view, row = look.show, look.view, look.cell[0]
    if row in look.veil and (look.square or mode == "context"):
        return FORMULAS[mode]
    *before, last = Cells(look.page).derived(look.number).steps
    part = {name: short(value) for name, value in last.parts.items() if isinstance(value, float)}
    if mode == "scores":
        numbers = rf"\frac{{{short(before[0].value)}}}{{\sqrt{{{view.d_head}}}}} ="
    elif mode == "weights":
        numbers = rf"\frac{{e^{{{part['score']}}}}}{{\sum_l e^{{s_l}}}} = \frac{{{part['power']}}}{{{part['total']}}} ="
    elif mode == "contribution":
        numbers = rf"\frac{{{part['own']}}}{{{part['total']}}} ="
    else:
        numbers = "" if mode == "context" else rf"{short(before[0].value)} + ({part['bias']}) ="
    return rf"\begin{{aligned}} & {FORMULAS[mode]} \\ & = {numbers} {short(last.value)} \end{{aligned}}"
