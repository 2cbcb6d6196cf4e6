"""Open it: the lookup with the selected token's numbers, its code, the shapes."""

from core.views.embedding import EmbeddingView
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.embedding.context import StageContext
from pages.stages.embedding.repeat import repeat

AT = "embedding"  # the taps' place
FORMULA = r"e_k = E_{t_k} = x_{t_k} E, \qquad x_t \in \{0, 1\}^{V},\ E \in \mathbb{R}^{V \times d}"


def opened(context: StageContext) -> Opened:
    page, view = context.page, context.view
    module = type(page.model.parts[AT])
    as_pairs = context.other is not None
    shown = context.pairs(context.kind) if as_pairs else context.output
    columns = view.tokens if as_pairs else [str(i) for i in range(view.d_model)]
    return Opened(
        formula=formula(context),
        code=(module.__init__, module.forward, EmbeddingView.one_hot, EmbeddingView.by_one_hot),
        shapes=shapes(context),
        compare=lambda: (page.t("compared.rows"), compare.row_difference(page.address.model, page.text)),
        table=lambda: csv(shown, view.tokens, columns),
        table_name=f"{f'pairs-{context.kind}' if as_pairs else f'{AT}.token'}.csv",
        repeat=repeat,
    )


def shapes(context: StageContext) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    view, n = context.view, len(context.view.ids)
    return [
        (f"{AT} · ids", ("token",), (n,)),
        (f"{AT} · one-hot", ("token", "vocab"), (n, view.vocab)),
        (f"{AT}.token_table.weight", ("vocab", "d_model"), view.table.shape),
        (f"{AT}.token", context.page.model.tap_dims[f"{AT}.token"], view.output.shape),
    ]


def formula(context: StageContext) -> str:
    """The general formula and, under it, the numbers of the token that is selected."""
    view, position, dim = context.view, context.position, context.dim
    if position in context.veil:
        return FORMULA
    id, row = view.ids[position], view.output[position]
    first = ",\\ ".join(short(float(x)) for x in row[:3])
    numbers = rf"e_{{{position}}} = E_{{{id}}} = ({first},\ \dots,\ {short(float(row[-1]))})"
    cell = rf"e_{{{position},{dim}}} = E_{{{id},{dim}}} = {short(float(row[dim]))}"
    shape = rf"V = {view.vocab},\ d = {view.d_model}"
    return rf"\begin{{aligned}} & {FORMULA} \\ & {numbers} \\ & {cell} \qquad {shape} \end{{aligned}}"
