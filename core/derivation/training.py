"""A loss: the mean of −ln p over every token of a batch that was asked for, line by line. And one step of one weight:
its gradient by the chain rule, and where that moves it.
"""

import numpy as np

from ..training.recorded import Run
from ..training.tasks import Line, batch
from ..views.descent import Descent
from .operators import ratio, total
from .steps import Derivation, Step, Vector, summed


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
    added = total("batch_sum", Vector(sums), Vector(np.array(counts, np.float64)), lines=len(lines), tokens=tokens)
    mean = ratio("mean_loss", total=added.value, tokens=tokens)
    return Derivation((added, mean), float(run.loss[step - 1]))


def derive_step(descent: Descent, made: int) -> Derivation:
    """The weight after one more step than `made`: w − η · Σ (p − q) · h ÷ T.

    The chain rule by hand, in NumPy, held against what PyTorch's autograd and optimizer made of it.
    """
    p, q, h = (numbers[made] for numbers in (descent.chances, descent.wanted, descent.states))
    products = summed("descent_sum", p - q, h)
    mean = ratio("descent_mean", total=products.value, tokens=len(h))
    before = float(descent.weights[made])
    parts: dict[str, float | str] = {"before": before, "rate": descent.rate, "gradient": mean.value}
    step = Step("descent_step", before - descent.rate * mean.value, parts)
    return Derivation((products, mean, step), float(descent.weights[made + 1]))
