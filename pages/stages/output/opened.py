"""Open it: the formula with this word's numbers, the code, the shapes."""

import numpy as np

from core.lessons.sampling import drawn, tempered, top_k, top_p
from core.model.transformer import Output
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.output.context import StageContext, likely, run_of
from pages.stages.output.repeat import repeat

GENERAL = r"z = E\,h, \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}"


def opened(context: StageContext) -> Opened:
    view, run = context.view, run_of(*context.key)
    taps = (context.view.depths[-1].tap, "output.logits", "output.probabilities")
    return Opened(
        formula=formula(context),
        code=(Output, tempered, top_k, top_p, drawn),
        shapes=[
            *((tap, run.dims(tap), run[tap].shape) for tap in taps),
            ("output.project.weight = embedding.token_table.weight", ("vocab", "d_model"), view.table.shape),
        ],
        compare=lambda: (context.t("compared_what"), compare.output_difference(*context.key)),
        table=lambda: table(context),
        table_name=f"output-{context.row}.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    """In general and, under it, the numbers of the selected word."""
    if context.hidden:
        return GENERAL
    made = Cells(context.page).derived(likely(context, context.depth, context.selected, context.temperature))
    share, total = made.steps[-1], float(made.steps[-1].parts["total"])
    ratio = rf"\frac{{{short(share.value * total)}}}{{{short(total)}}}"
    cell = rf"p_{{{context.selected}}} = {ratio} = {short(share.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {cell} \end{{aligned}}"


def table(context: StageContext) -> str:
    """Every word with its logit and its share; where nothing may be seen yet, empty cells."""
    values = np.stack([context.logits, context.shares], axis=1)
    shown = np.full_like(values, np.nan) if context.hidden else values
    return csv(shown, [context.piece(id) for id in range(len(values))], ["logit", "share"])
