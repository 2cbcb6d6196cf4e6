"""Open it: the formula with this word's numbers, the code, the shapes."""

import numpy as np

from core.lessons.sampling import drawn, tempered, top_k, top_p
from core.model.transformer import Output
from pages.shared.number.number_panel import Cells
from pages.shared.page import compare
from pages.shared.page.open_it import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.output.look import Look, likely, run_of
from pages.stages.output.repeat import repeat

GENERAL = r"z = E\,h, \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}"


def opened(look: Look) -> Opened:
    view, run = look.view, run_of(*look.key)
    taps = (look.view.depths[-1].tap, "output.logits", "output.probabilities")
    return Opened(
        formula=formula(look),
        code=(Output, tempered, top_k, top_p, drawn),
        shapes=[
            *((tap, run.dims(tap), run[tap].shape) for tap in taps),
            ("output.project.weight = embedding.token_table.weight", ("vocab", "d_model"), view.table.shape),
        ],
        compare=lambda: (look.t("compared_what"), compare.output_difference(*look.key)),
        table=lambda: table(look),
        table_name=f"output-{look.row}.csv",
        captured=not look.veiled,
        repeat=repeat,
    )


def formula(look: Look) -> str:
    """In general and, under it, the numbers of the selected word."""
    if look.hidden:
        return GENERAL
    made = Cells(look.page).derived(likely(look, look.depth, look.selected, look.temperature))
    share, total = made.steps[-1], float(made.steps[-1].parts["total"])
    ratio = rf"\frac{{{short(share.value * total)}}}{{{short(total)}}}"
    cell = rf"p_{{{look.selected}}} = {ratio} = {short(share.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {cell} \end{{aligned}}"


def table(look: Look) -> str:
    """Every word with its logit and its share; where nothing may be seen yet, empty cells."""
    values = np.stack([look.logits, look.shares], axis=1)
    shown = np.full_like(values, np.nan) if look.hidden else values
    return csv(shown, [look.piece(id) for id in range(len(values))], ["logit", "share"])
