"""Open it: a step of one weight with its numbers and its code; in the contest, the recorded losses and theirs."""

from collections.abc import Sequence

import torch

from core.derivation.training import derive_loss, derive_step
from core.training import recorded, runs
from core.training.recorded import Run
from core.training.runs import LOOK_AT, Setting, Writer
from core.training.tasks import Line, batch, held_out
from core.views.descent import STEPS, Descent, Lesson, descend
from pages.shared.page.opened import Opened, lines
from pages.shared.words.numbers import short
from pages.stages.training.context import StageContext
from pages.stages.training.repeat import repeat

GENERAL = (
    r"L = -\frac{1}{T} \sum_{\text{examples}} \sum_{t} \ln p(w_t \mid w_{<t}) \\ & "
    r"\lVert g \rVert = \sqrt{\textstyle\sum_{\theta} (\partial L / \partial \theta)^2}"
)


def opened(context: StageContext) -> Opened:
    return of_contest(context) if context.values["section"] == "contest" else of_descent(context)


def of_descent(context: StageContext) -> Opened:
    t, descent = context.t, context.descent
    tokens = descent.states.shape[1]
    return Opened(
        formula=step_formula(context),
        code=(Lesson.loss, Lesson.gradient, descend, derive_step),
        shapes=[("p, q, h", ("token",), (tokens,)), ("E", ("vocab", "d_model"), tuple(Lesson().table.shape))],
        compare=lambda: (t("compared_first"), abs(loss_of_torch(Setting(), first_lines()) - float(descent.losses[0]))),
        compared="compared",
        table=lambda: lines(["step", "weight", "loss", "gradient"], way(descent)),
        table_name=f"descent-{descent.rate:g}.csv",
        other=t("other_torch"),
        of_model=False,
        repeat=repeat,
    )


def way(descent: Descent) -> list[list[object]]:
    numbers = (descent.weights, descent.losses, descent.gradients)
    return [[step, *(repr(float(of[step])) for of in numbers)] for step in range(STEPS + 1)]


def step_formula(context: StageContext) -> str:
    _, mean, step = derive_step(context.descent, context.made).steps
    before, rate = (short(float(step.parts[name])) for name in ("before", "rate"))
    numbers = rf"w' = {before} - {rate} \times ({short(mean.value)}) = {short(step.value)}"
    general = r"w' = w - \eta\,\frac{\partial L}{\partial w}, \qquad "
    general += r"\frac{\partial L}{\partial w} = \frac{1}{T} \sum_{t} (p_t - q_t)\, h_t"
    return rf"\begin{{aligned}} & {general} \\ & {numbers.replace('−', '-')} \end{{aligned}}"


def of_contest(context: StageContext) -> Opened:
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
        compare=lambda: (t("compared_what"), max(map(difference, context.family.runs.values()))),
        compared="compared",
        table=lambda: table(context),
        table_name=f"training-{context.family.name}.csv",
        other=t("other_torch"),
        of_model=False,
        repeat=repeat,
    )


def formula(context: StageContext) -> str:
    summed, mean = derive_loss(context.run, context.step).steps
    numbers = rf"L = \frac{{{short(summed.value)}}}{{{mean.parts['tokens']}}} = {short(mean.value)}"
    return rf"\begin{{aligned}} & {GENERAL} \\ & {numbers} \end{{aligned}}"


def difference(run: Run) -> float:
    """Between the recorded loss on held-out lines, before any step, and that of torch.nn's layers."""
    return abs(loss_of_torch(run.setting, held_out(run.setting.task, LOOK_AT)) - float(run.held[0]))


def first_lines() -> list[Line]:
    setting = Setting()
    return batch(setting.task, setting.seed, 1, setting.batch)


def loss_of_torch(setting: Setting, asked_of: Sequence[Line]) -> float:
    """The loss of torch.nn's layers on these lines, from the same initial weights, drawn anew."""
    from core import reference

    reference.load()
    from core.reference import writer

    weights = runs.begin(setting).state_dict()
    rows, asked = runs.tensors(asked_of, setting.task)
    with torch.no_grad():
        return writer.first_loss(
            weights,
            rows,
            asked,
            heads=setting.heads,
            norm=setting.norm,
            position=setting.position,
            root_k=setting.root_k,
            root_d=setting.root_d,
            residual=setting.residual,
            feedforward=setting.feedforward,
        )


def table(context: StageContext) -> str:
    """Every step of every run; what was only looked at now and then is empty between."""
    rows: list[list[object]] = []
    for id, run in context.family.runs.items():
        looked = {step: i for i, step in enumerate(run.looks)}
        for step in range(len(run.loss) + 1):
            every = [repr(float(curve[step - 1])) if step else "" for curve in (run.loss, run.gradient)]
            seldom = [repr(float(curve[looked[step]])) if step in looked else "" for curve in (run.held, run.right)]
            rows.append([id, step, *every, *seldom])
    return lines(["run", "step", *recorded.CURVES], rows)
