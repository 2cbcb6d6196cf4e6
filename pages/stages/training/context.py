"""What is looked at: a family of recorded runs, the one that is followed, and a step of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.exercises.training import Runs
from core.training import recorded
from core.training.recorded import DEPTHS, Run
from core.training.tasks import Line
from pages.shared.page import stage
from pages.shared.server import cached

DIFFERS = ("norm", "warmup", "scale", "tied", "position", "width", "task")
DEEPEST = str(DEPTHS[-1])


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
class StageContext(stage.StageContext[Family]):
    """A family, and what of it is selected."""

    @property
    def what(self) -> str:
        return self.values["what"]

    @property
    def id(self) -> str:
        """The run that is followed."""
        return self.values["run"]

    @property
    def run(self) -> Run:
        return self.view.runs[self.id]

    @property
    def step(self) -> int:
        """From 1; not every run of a family is as long."""
        return min(self.values["step"], len(self.run.loss))

    def name(self, id: str) -> str:
        """A run as the visitor calls it."""
        return self.t(f"runs.{id}")

    @cached_property
    def example(self) -> Line:
        """A held-out line of the task."""
        from core.training.tasks import held_out

        return max(held_out(self.run.setting.task, 20), key=lambda line: len(line.question))

    @property
    def practised(self) -> Runs:
        return self.view.runs


def fresh(guess: str | None) -> dict[str, None]:
    """What another choice of what differs lets go of: an answer, too, unless nobody wants to be asked."""
    return dict.fromkeys(("run", "step", "ask", *([] if guess == "skip" else ["guess"])))
