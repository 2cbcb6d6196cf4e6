"""What the picture is given, and the controls above it."""

from collections.abc import Iterable, Mapping

import numpy as np

from core.figures.controls import Control, Controls
from core.figures.runs import Course, Panel, Runs, RunsWords
from core.training.recorded import CURVES, DEPTHS, Run
from pages.shared.address.address import choice
from pages.shared.words.texts import Texts
from pages.stages.training.context import DEEPEST, DIFFERS, StageContext

KINDS = ("loss", "held", "right", "gradient")  # what the picture can show
CURVE = {"curve": choice(*KINDS, default=KINDS[0])}


def runs(context: StageContext) -> Runs:
    names = {id: context.name(id) for id in context.family.runs}
    return drawn(
        context.t,
        context.family.runs,
        names,
        steps=context.family.steps,
        selects=("run", "step"),
        seeds=context.t("note_seeds", seeds=len(context.family.first.seeds)),
    )


def drawn(
    t: Texts,
    runs: Mapping[str, Run],
    names: Mapping[str, str],
    *,
    steps: int,
    selects: tuple[str | None, str | None],
    seeds: str = "",
) -> Runs:
    """Runs beside each other; `selects` are the parameters of the run and the step that a press sets."""
    guesses = {run.setting.guessing for run in runs.values()}
    return Runs(
        courses=[course(id, names[id], run) for id, run in runs.items()],
        steps=steps,
        panels=[panel(t, id) for id in KINDS],
        panel="curve",
        values=arrays(runs.values()),
        words=words(t),
        run=selects[0],
        step=selects[1],
        guessing=guesses.pop() if len(guesses) == 1 else None,
        guess_word=t("guessing"),
        seeds=seeds,
    )


def panel(t: Texts, id: str) -> Panel:
    return Panel(id, t(f"panels.{id}"), "look" if id in ("held", "right") else "step", log=id != "right")


def course(id: str, name: str, run: Run) -> Course:
    rows, columns = run.matrices.shape[1:]
    return Course(id, name, len(run.loss), run.looks, run.kept, (rows, columns), len(run.seeds))


def arrays(runs: Iterable[Run]) -> list[np.ndarray]:
    """The curves of every run, then the matrices of every run, which are in half precision: as the bits they are."""
    curves = [curves[name] for run in runs for curves in run.seeds for name in CURVES]
    return [*curves, *(run.matrices.astype(np.float16).view(np.uint16) for run in runs)]


def words(t: Texts) -> RunsWords:
    names = ("label", "step", "smoothed", "matrix", "changed", "veiled", "runs")
    return RunsWords(**{name: t(f"picture.{name}") for name in names}, help=t.help("kept"), help_keys=t.help("keys"))


def controls(context: StageContext) -> Controls:
    """What differs, of the norms also how deep, and what the picture shows."""
    t = context.t
    also = {"run": None, "step": None}
    deep = Control("layers", t("layers"), [(str(n), str(n)) for n in DEPTHS], first=DEEPEST, also=also)
    families = [(id, t(f"differs.{id}")) for id in DIFFERS]
    what = Control("what", t("what"), families, first="norm", also=also, stepper="list")
    return Controls([what, *([deep] if context.what == "norm" else []), curve(t)])


def curve(t: Texts) -> Control:
    return Control("curve", t("curve"), [(id, t(f"curves.{id}")) for id in KINDS], first=KINDS[0], stepper="list")
