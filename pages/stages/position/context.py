"""What is looked at on this page: one number of one position's vector, and two orders of the same words."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.derivation import RunSpec, Weight
from core.derivation.position import LEARNED
from core.exercises.position import Waves
from core.questions import Question
from core.run_spec import AT_HAND
from core.views import position as views
from core.views.position import PositionTable
from core.zoo import able
from pages.shared.page import stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.stages.position.scenes import Pair, pairs_of

TAP = "embedding.position"  # what the model adds
FARTHEST = 1_000_000  # position to calculate with
ENOUGH = 128  # rows of a learned table, to be compared with waves
WINDOW = 64  # positions that a picture shows at once


def learned_row(position: int) -> Weight:
    """A row of the learned table."""
    return Weight(LEARNED, (position, None))


@dataclass(frozen=True, eq=False)
class PositionView:
    """What this page is about."""

    tables: Mapping[str, PositionTable]  # the waves at the model's width; what it learned instead, if it did
    learned: PositionTable  # of `learner`, whichever model reads
    pairs: Mapping[str, Pair]  # texts to read in two orders: "own" and "example", where there are such

    @property
    def waves(self) -> PositionTable:
        return self.tables["sinusoidal"]


def view_of(name: str, text: str) -> PositionView:
    learned = views.tables(cached.model(learner(name)))["learned"]
    return PositionView(views.tables(cached.model(name)), learned, pairs_of(name, text))


def learner(name: str) -> str:
    """The model whose learned table is shown: this one, where it has learned enough positions to compare."""
    config = cached.model(name).config
    enough = config.position == "learned" and config.positions >= ENOUGH
    return name if enough else able("learn positions")


def opening_position(page: PageContext) -> int:
    """The last word of the sentence."""
    words = [i for i, t in enumerate(page.trace.tokens) if not t.special and any(c.isalnum() for c in t.text)]
    return words[-1] if words else 0


def asked_reader(question: Question | None) -> str | None:
    """Of which reader it is asked which vectors change when two words change places."""
    template = question.template if question else ""
    return template.removeprefix("which_change.") if template.startswith("which_change.") else None


class StageContext(stage.StageContext[PositionView]):
    """The selected number. Positions and dimensions count from 0."""

    @property
    def pos(self) -> int:
        return self.values["pos"]

    @property
    def dim(self) -> int:
        return self.values["dim"]

    @property
    def table(self) -> PositionTable:
        """The table that is looked at."""
        return self.view.tables[self.values["kind"]]

    @property
    def waves(self) -> PositionTable:
        return self.view.waves

    @property
    def d_model(self) -> int:
        return self.waves.d_model

    @property
    def learner(self) -> RunSpec:
        """The run that rows of the learned table are of."""
        name = learner(self.page.address.model)
        return AT_HAND if self.page.address.model == name else RunSpec(model=name)

    @property
    def own_kind(self) -> str:
        """What the model itself adds."""
        return self.page.model.config.position

    @property
    def tokens(self) -> int:
        return len(self.page.tokens)

    # ---- what may not be seen yet

    @property
    def reader_veiled(self) -> str | None:
        """The reader of swapped words that is asked about."""
        return asked_reader(self.question) if self.veiled else None

    @property
    def distances_veiled(self) -> bool:
        """Whether it is asked which positions are farther apart."""
        return self.veiled and self.question is not None and self.question.template == "farther_apart"

    # ---- exercises

    @property
    def practised(self) -> Waves:
        return Waves(self.waves, self.tokens)
