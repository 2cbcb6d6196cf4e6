"""Open it: the loss with its numbers, the code that trained, the first loss by torch.nn, the curves as a table."""

import torch

from core.derivation.training import derive_loss
from core.training import recorded, runs
from core.training.recorded import Run
from core.training.runs import Setting, Writer
from core.training.tasks import batch
from pages.shared.page.open_it import Opened, lines
from pages.shared.words.numbers import short
from pages.stages.training.context import StageContext
from pages.stages.training.repeat import repeat

GENERAL = (
    r"L = -\frac{1}{T} \sum_{\text{lines}} \sum_{t} \ln p(w_t \mid w_{<t}) \\ & "
    r"\lVert g \rVert = \sqrt{\textstyle\sum_{\theta} (\partial L / \partial \theta)^2}"
)


def opened(context: StageContext) -> Opened:
    t, setting = context.t, context.run.setting
    config = setting.config
    return Opened(
        formula=formula(context),
        code=(runs.step, runs.losses, Writer.forward, Setting.rate_at, runs.train),
        shapes=[
            ("ids", ("line", "token"), (setting.batch, config.positions)),
            ("encoder.output", ("line", "token", "d_model"), (setting.batch, config.positions, config.d_model)),
            ("logits", ("line", "token", "vocab"), (setting.batch, config.positions, config.vocab)),
        ],
        compare=lambda: (t("compared_what"), max(map(difference, context.view.runs.values()))),
        compared="compared",
        table=lambda: table(context),
        table_name=f"training-{context.view.name}.csv",
        other=t("other_torch"),
        of_model=False,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    summed, mean = derive_loss(context.run, context.step).steps
    numbers = rf"L = \frac{{{short(summed.value)}}}{{{mean.parts['tokens']}}} = {short(mean.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {numbers} \end{{aligned}}"


def difference(run: Run) -> float:
    """The recorded first loss beside that of torch.nn's layers, from weights drawn anew and the same batch."""
    from core import reference

    reference.load()
    from core.reference import writer

    setting = run.setting
    weights = runs.begin(setting).state_dict()
    rows, asked = runs.tensors(batch(setting.task, setting.seed, 1, setting.batch, setting.few), setting.task)
    with torch.no_grad():
        theirs = writer.first_loss(
            weights,
            rows,
            asked,
            heads=setting.heads,
            norm=setting.norm,
            position=setting.position,
            root_k=setting.root_k,
            root_d=setting.root_d,
        )
    return abs(theirs - float(run.loss[0]))


def table(context: StageContext) -> str:
    """Every step of every run; what was only looked at now and then is empty between."""
    rows: list[list[object]] = []
    for id, run in context.view.runs.items():
        looked = {step: i for i, step in enumerate(run.looks)}
        for step in range(len(run.loss) + 1):
            every = [repr(float(curve[step - 1])) if step else "" for curve in (run.loss, run.gradient)]
            seldom = [repr(float(curve[looked[step]])) if step in looked else "" for curve in (run.held, run.right)]
            rows.append([id, step, *every, *seldom])
    return lines(["run", "step", *recorded.CURVES], rows)
