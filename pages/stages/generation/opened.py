"""Open it: the formula with this token's numbers, the code, the shapes."""

import numpy as np

from core.lessons.sampling import drawn, tempered, top_k, top_p
from core.model.cache import Cache
from core.model.language import LanguageModel
from core.views.generation import spelt
from core.writing import Step, Writing, lines
from pages.shared.page import compare
from pages.shared.page.opened import Opened, csv
from pages.shared.words.numbers import short
from pages.stages.generation.context import StageContext
from pages.stages.generation.repeat import repeat

GENERAL = (
    r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}, \qquad q_i \propto e^{z_i / T}, "
    r"\qquad \sum_{j < i} q_j \le u < \sum_{j \le i} q_j"
)

GREEDY = r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}, \qquad T = 0: \ \mathrm{next} = \mathrm{arg\,max}_i \, p_i"


def opened(context: StageContext) -> Opened:
    config, steps = context.page.model.config, context.steps
    n = context.given + len(steps)
    keys = config.groups or config.heads
    return Opened(
        formula=formula(context),
        code=(Writing._advance, lines, tempered, top_k, top_p, drawn, LanguageModel.after, Cache),
        shapes=[
            ("ids", ("token",), (n,)),
            ("output.logits", ("vocab",), (config.vocab,)),
            (
                context.t("cache.kept"),
                ("layer", "2", "head", "key", "d_head"),
                (config.layers, 2, keys, n - bool(steps), config.d_head),  # the newest is not read yet
            ),
        ],
        compare=lambda: (context.t("compared_what", n=len(steps)), difference(context)),
        compared="open.compared" if steps else "compared_none",
        table=lambda: table(context),
        table_name="generation.csv",
        captured=not context.veiled,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    """In general, and under it the selected token's share and point."""
    if not context.steps:
        return GENERAL
    step = context.step
    if step.point is None:  # T = 0
        return rf"\begin{{aligned}} & {GREEDY} \\ & p_{{{step.id}}} = {short(step.probability)} \end{{aligned}}"
    u = rf",\quad u = {short(step.point)}"
    here = rf"p_{{{step.id}}} = {short(step.probability)}{u}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {here} \end{{aligned}}"


def table(context: StageContext) -> str:
    """Every token that was written: its id, its probability, its share of the line, where that was hit."""
    rows = [
        [step.id, step.probability, share_of(step), np.nan if step.point is None else step.point]
        for step in context.steps
    ]
    texts = [spelt(context.page.model, step.id) for step in context.steps]
    return csv(np.array(rows, np.float64).reshape(-1, 4), texts, ["id", "probability", "share", "point"])


def share_of(step: Step) -> float:
    return step.shares[step.ids.index(step.id)] if step.id in step.ids else np.nan


def difference(context: StageContext) -> float:
    """The largest of any probability, where the other implementation reads all of it at once and keeps nothing."""
    return compare.written_difference(
        context.view.model.id, tuple(context.view.ids(context.steps)), context.given, ours(context)
    )


def ours(context: StageContext) -> tuple[float, ...]:
    return tuple(step.probability for step in context.steps)
