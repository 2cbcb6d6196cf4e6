"""What is looked at: one weight on its way down, by each learning rate; and the contest's runs and the one followed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.exercises.training import Runs
from core.training import recorded
from core.training.recorded import DEPTHS, Run
from core.training.tasks import Line
from core.views.descent import RATES, Descent, descend
from pages.shared.page import stage
from pages.shared.server import cached

DIFFERS = (
    "norm", "residual", "feedforward", "heads", "dropout", "warmup", "scale", "tied", "frequent", "position", "width",
    "task",
)  # fmt: skip
DEEPEST = str(DEPTHS[-1])
WHOLE = 12  # tokens beside the note in their strip
USUAL = 1.0  # the learning rate that the page opens on


@dataclass(frozen=True, eq=False)
class Descents:
    """One weight's way down, by learning rate."""

    of: Mapping[float, Descent]

    @property
    def nbytes(self) -> int:
        return sum(descent.nbytes for descent in self.of.values())


@cached.shared
def descents() -> Descents:
    return Descents({rate: descend(rate) for rate in RATES})


@dataclass(frozen=True, eq=False)
class Family:
    """Runs that differ in one thing."""

    name: str
    runs: Mapping[str, Run]

    @property
    def first(self) -> Run:
        return next(iter(self.runs.values()))

    @property
    def steps(self) -> int:
        return max(len(run.loss) for run in self.runs.values())

    @property
    def nbytes(self) -> int:
        return sum(run.nbytes for run in self.runs.values())


def family_of(what: str, layers: str) -> Family:
    return family(f"norm{layers}" if what == "norm" else what)


@cached.shared
def family(name: str) -> Family:
    return Family(name, recorded.family(name))


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[Descents]):
    """The weight after so many steps; and of the contest, what is selected there."""

    @property
    def descent(self) -> Descent:
        return self.view.of[float(self.values["rate"])]

    @property
    def made(self) -> int:
        """Steps that have been made."""
        return self.values["times"]

    @property
    def covered(self) -> bool:
        """Whether an open question would be answered by this learning rate's curve."""
        asked = self.question
        return bool(self.veiled and asked and (asked.template.startswith("direction") or self.descent.rate != USUAL))

    @property
    def what(self) -> str:
        return self.values["what"]

    @property
    def family(self) -> Family:
        return family_of(self.what, self.values["layers"])

    @property
    def id(self) -> str:
        """The run that is followed."""
        return self.values["run"]

    @property
    def run(self) -> Run:
        return self.family.runs[self.id]

    @property
    def step(self) -> int:
        """From 1; not every run of a family is as long."""
        return min(self.values["step"], len(self.run.loss))

    def name(self, id: str) -> str:
        """A run as the visitor calls it."""
        return self.t(f"runs.{id}")

    @cached_property
    def example(self) -> Line:
        """A held-out line of the task, the longest that is seen whole."""
        from core.training.tasks import held_out

        lines = [line for line in held_out(self.run.setting.task, 20) if len(line.tokens) <= WHOLE]
        return max(lines, key=lambda line: len(line.question))

    @property
    def practised(self) -> Runs:
        return self.family.runs
