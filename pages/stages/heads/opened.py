"""Open it: the formula with this weight's numbers, the code, the shapes."""

from core.derivation import Cell, RunSpec
from core.figures.picture import veiled
from core.model.places import attention_at
from core.text.token import named
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.page.sources import attended
from pages.shared.words.numbers import short
from pages.stages.attention.opened import shapes
from pages.stages.heads.look import Look
from pages.stages.heads.repeat import repeat

PARTS = ("query", "key", "value", "scores", "weights", "context")
HEAD = r"\mathrm{head}_i = \mathrm{softmax}\!\left(\frac{Q_i K_i^\top}{\sqrt{d_k}}\right) V_i"
JOINED = r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)\, W^O"


def opened(look: Look) -> Opened:
    page, view, config = look.page, look.attention(), look.page.model.config
    output = at(look).tap("output")
    return Opened(
        formula=formula(look),
        code=attended(page.model.parts[str(at(look))]),
        shapes=[
            *shapes(page.model, view, PARTS),
            (output, page.model.tap_dims[output], (len(view.queries), config.d_model)),
        ],
        compare=lambda: (
            page.t("compared.weights", layers=config.layers + config.decoder_layers),
            compare.attention_difference(page.address.model, page.text),
        ),
        table=lambda: table(look),
        table_name=f"{look.file}-{look.layer}-{look.head}.csv",
        captured=not look.veiled,
        edits=look.edits,
        repeat=repeat,
    )


def at(look: Look):
    return attention_at(look.kind, look.layer - 1)


def table(look: Look) -> str:
    """The followed head's weights; what is veiled stays empty."""
    weights = veiled(look.weights(look.layer, look.head), look.veil)
    return csv(weights, look.heads.tokens, look.heads.key_tokens)


def formula(look: Look) -> str:
    """The general formula and, under it, the followed weight's numbers; none for a veiled row."""
    q, k = look.cell
    joined = JOINED + (" + b_O" if look.page.model.config.bias else "")
    general = rf"\begin{{aligned}} & {HEAD} \\ & {joined}"
    if q in look.veil:
        return rf"{general} \end{{aligned}}"
    cell = Cell(at(look).tap("weights"), (look.head - 1, q, k))
    last = Cells(look.page, RunSpec(edits=look.edits)).derived(cell).steps[-1]
    part = {name: short(value) for name, value in last.parts.items() if isinstance(value, float)}
    i, j = (named(tokens, at) for tokens, at in ((look.heads.tokens, q), (look.heads.key_tokens, k)))
    who = rf"\alpha_{{\text{{{tex(i)} → {tex(j)}}}}}"
    numbers = rf"\frac{{e^{{{part['score']}}}}}{{\sum_l e^{{s_l}}}} = \frac{{{part['power']}}}{{{part['total']}}}"
    return rf"{general} \\ & {who} = {numbers} = {short(last.value)} \end{{aligned}}"


def tex(text: str) -> str:
    """A token as LaTeX text: whatever could be a command is left out."""
    return "".join(c for c in text if c not in r"\{}$&#%^_~")[:20]
