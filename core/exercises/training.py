"""When a run has halved its loss; a step at which the later winner is behind."""

from collections.abc import Mapping

import numpy as np

from ..training.recorded import Run
from .exercise import Exercise, Patch, Values, Verdict

Runs = Mapping[str, Run]


def halved_at(run: Run) -> int | None:
    """The first step, from 1, at which the loss is at most half of what it was at the first."""
    below = np.flatnonzero(run.loss <= run.loss[0] / 2)
    return int(below[0]) + 1 if len(below) else None


def halved(runs: Runs, values: Values) -> Verdict:
    """Is that step selected?"""
    run = runs[values["run"]]
    step, at = min(values["step"], len(run.loss)), halved_at(run)
    facts = {
        "step": step,
        "loss": float(run.loss[step - 1]),
        "first": float(run.loss[0]),
        "half": float(run.loss[0] / 2),
    }
    if at is None:
        return Verdict(False, facts, "never")
    return Verdict(step == at, facts, "" if step == at else "early" if step < at else "late")


def to_the_half(runs: Runs, values: Values) -> Patch | None:
    for id in dict.fromkeys((values["run"], *runs)):
        if at := halved_at(runs[id]):
            return {"run": id, "step": at}
    return None


def winner(runs: Runs) -> str:
    """The run that ends lowest on lines that nobody was trained on."""
    return min(runs, key=lambda id: runs[id].ends[0])


def best_at(runs: Runs, step: int) -> str:
    """The run with the lowest loss at a step, of those that are that long."""
    return min((id for id in runs if step <= len(runs[id].loss)), key=lambda id: float(runs[id].loss[step - 1]))


def settled(run: Run) -> int:
    """The first step that counts: before a tenth of them is over, the first weights still decide."""
    return len(run.loss) // 10 + 1


def comparable(runs: Runs) -> bool:
    """Losses of different tasks are no contest."""
    return len({run.setting.task for run in runs.values()}) == 1


def behind(runs: Runs, values: Values) -> Verdict:
    """At the selected step, before the last: is another run ahead of the one that ends lowest?"""
    if not comparable(runs):
        return Verdict(False, said="tasks")
    best = winner(runs)
    step = min(values["step"], len(runs[best].loss))
    ahead = best_at(runs, step)
    facts = {
        "step": step,
        "from": settled(runs[best]),
        "best_run": best,
        "held": runs[best].ends[0],
        "loss": float(runs[best].loss[step - 1]),
        "ahead_run": ahead,
        "lower": float(runs[ahead].loss[step - 1]),
    }
    if step < settled(runs[best]):
        return Verdict(False, facts, "early")
    if step == len(runs[best].loss):
        return Verdict(False, facts, "last")
    return Verdict(ahead != best, facts)


def a_step_behind(runs: Runs, values: Values) -> Patch | None:
    """The step at which it is farthest behind."""
    if not comparable(runs):
        return None
    best = winner(runs)
    start, own = settled(runs[best]) - 1, runs[best].loss
    gaps = {
        step: float(own[step] - runs[best_at(runs, step + 1)].loss[step])
        for step in range(start, len(own) - 1)
        if best_at(runs, step + 1) != best
    }
    return {"run": best, "step": max(gaps, key=lambda step: gaps[step]) + 1} if gaps else None


WARMUP = {"section": "contest", "what": "warmup", "run": None, "step": None}
EXERCISES = (
    Exercise("half", halved, to_the_half, WARMUP, apart=True),
    Exercise("behind", behind, a_step_behind, WARMUP, apart=True),
)
