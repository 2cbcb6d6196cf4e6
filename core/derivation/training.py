"""A loss: the mean of −ln p over every token of a batch that was asked for, line by line."""

import numpy as np

from ..training.recorded import Run
from ..training.tasks import Line, batch
from .operators import ratio, total
from .steps import Derivation, Vector


def lines_of(run: Run, step: int) -> list[Line]:
    """The lines of the batch of one step, from 1."""
    setting = run.setting
    return batch(setting.task, setting.seed, step, setting.batch, setting.few)


def derive_loss(run: Run, step: int) -> Derivation:
    """The loss of a step, from 1: Σ over its lines of Σ −ln p, through the number of tokens asked for.

    The sums of the lines are those of the run; the tokens are counted anew in the lines themselves.
    """
    lines = lines_of(run, step)
    sums = run.lines[step - 1].astype(np.float64)
    counts = [len(line.answer) + 1 for line in lines]  # the end is asked for, too
    tokens = sum(counts)
    summed = total("batch_sum", Vector(sums), Vector(np.array(counts, np.float64)), lines=len(lines), tokens=tokens)
    mean = ratio("mean_loss", total=summed.value, tokens=tokens)
    return Derivation((summed, mean), float(run.loss[step - 1]))
