"""Open it: the formula with this weight's numbers, the code, the shapes."""

from core.derivation import Cell, RunSpec
from core.figures.picture import veiled
from core.model.places import attention_at
from core.text.token import named
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.page.sources import attended
from pages.shared.words.numbers import short
from pages.stages.attention.opened import shapes
from pages.stages.heads import downloads
from pages.stages.heads.context import StageContext
from pages.stages.heads.repeat import repeat

PARTS = ("query", "key", "value", "scores", "weights", "context")
HEAD = r"\mathrm{head}_i = \mathrm{softmax}\!\left(\frac{Q_i K_i^\top}{\sqrt{d_k}}\right) V_i"
JOINED = r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O"


def opened(context: StageContext) -> Opened:
    page, view, config = context.page, context.attention(), context.page.model.config
    output = at(context).tap("output")
    return Opened(
        formula=formula(context),
        code=attended(page.model.parts[str(at(context))]),
        shapes=[
            *shapes(page.model, view, PARTS),
            (output, page.model.tap_dims[output], (len(view.queries), config.d_model)),
        ],
        compare=lambda: (
            page.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(page.address.model, page.text),
        ),
        table=lambda: table(context),
        table_name=f"{context.file}-{context.layer}-{context.head}.csv",
        captured=not context.veiled,
        edits=context.edits,
        repeat=repeat,
        files=downloads.draw,
    )


def at(context: StageContext):
    return attention_at(context.kind, context.layer - 1)


def table(context: StageContext) -> str:
    """The followed head's weights; what is veiled stays empty."""
    weights = veiled(context.weights(context.layer, context.head), context.veil)
    return csv(weights, context.heads.tokens, context.heads.key_tokens)


def formula(context: StageContext) -> str:
    """The general formula and, under it, the followed weight's numbers; none for a veiled row."""
    q, k = context.cell
    joined = JOINED + (" + b_O" if context.page.model.config.bias else "")
    general = rf"\begin{{aligned}} & {HEAD} \\ & {joined}"
    if q in context.veil:
        return rf"{general} \end{{aligned}}"
    cell = Cell(at(context).tap("weights"), (context.head - 1, q, k))
    last = Cells(context.page, RunSpec(edits=context.edits)).derived(cell).steps[-1]
    part = {name: short(value) for name, value in last.parts.items() if isinstance(value, float)}
    i, j = (named(tokens, at) for tokens, at in ((context.heads.tokens, q), (context.heads.key_tokens, k)))
    who = rf"\alpha_{{\text{{{tex(i)} → {tex(j)}}}}}"
    numbers = rf"\frac{{e^{{{part['score']}}}}}{{\sum_l e^{{s_l}}}} = \frac{{{part['power']}}}{{{part['total']}}}"
    return rf"{general} \\ & {who} = {numbers} = {short(last.value)} \end{{aligned}}"


def tex(text: str) -> str:
    """A token as LaTeX text: whatever could be a command is written as a character, or left out."""
    return "".join(rf"\{c}" if c in "{}$&#%_" else c for c in text[:20] if c not in r"\^~")
