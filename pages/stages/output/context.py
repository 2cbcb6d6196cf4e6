"""What is looked at: one state of the decoder, and the rows of the table that answer it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.capture import Capture
from core.derivation import Cell, Measure, Weight
from core.derivation.flow import TABLE
from core.derivation.measures.words import LIKELY, WARM
from core.lessons.sampling import chances
from core.ranking import largest
from core.views.embedding import table
from core.views.output import OutputView, Picked, Rules, output_view, picked, taps
from pages.shared.number.number_links import measured, number
from pages.shared.page import own_model, stage
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words import samples

TEMPERATURES = ("0.5", "1", "1.25", "1.5", "2", "4")
SHOWN = 7  # rows of the table in the picture


def settle(page: PageContext) -> None:
    """Only a model that writes has an output: what another would read, one that goes on with texts like it reads."""
    model = cached.model(page.address.model)
    if model.objective == "compare":
        own_model.settle_to_write_its_own(page)
    elif model.translates and not any(map(str.isalnum, page.text)):
        own_model.settle(page, samples.presets("output", "zh")[1])


@cached.shared
def view_of(name: str, text: str) -> OutputView:
    return output_view(run_of(name, text), cached.model(name))


def run_of(name: str, text: str) -> Capture:
    return cached.capture(name, text, only=taps(cached.model(name)))


@dataclass(frozen=True, eq=False)
class StageContext(stage.StageContext[OutputView]):
    """Rows of the target count from 0, layers from 1; layer 0 is what enters the decoder."""

    @property
    def text(self) -> str:
        """The sentence that is translated, or gone on with."""
        return self.page.text

    @property
    def translated(self) -> str:
        """The sentence of what only a translation shows: an example, where the model does not translate."""
        return self.text if self.page.translates else samples.presets("output", "zh")[1]

    def piece(self, id: int) -> str:
        """What a row of the table stands for."""
        return self.page.model.tokenizer.names[id]

    @property
    def row(self) -> int:
        return self.values["q"]

    @property
    def layer(self) -> int:
        return min(self.values["depth"], self.layers)

    @property
    def depth(self) -> int:
        return self.view.at(self.layer)

    @property
    def layers(self) -> int:
        return len(self.view.whole) - 1

    @property
    def temperature(self) -> float:
        return float(self.values["temperature"])

    @property
    def given(self) -> str:
        """The last word the decoder has been given, whose state this is."""
        return self.view.given[self.row].text

    @property
    def word(self) -> str:
        """The word that was written here; of a translation that was cut, what would come next."""
        return self.view.written[self.row].text if self.row < len(self.view.written) else self.piece(self.best)

    @cached_property
    def logits(self) -> np.ndarray:
        return self.view.logits(self.depth, self.row)

    @cached_property
    def shares(self) -> np.ndarray:
        return self.view.shares(self.depth, self.row, self.temperature)

    @cached_property
    def order(self) -> list[int]:
        """The ids of the rows that answer most, the best first."""
        return largest(self.logits, SHOWN).tolist()

    @property
    def best(self) -> int:
        return self.order[0]

    @property
    def selected(self) -> int:
        """The row of the table that is followed."""
        return self.best if self.values["word"] is None else self.values["word"]

    def hides(self, depth: int, row: int) -> bool:
        """While the question is open: the asked word between the first layer and the last, or what comes next."""
        if len(self.view.depths) == 1:
            return row in self.asked.rows
        return row in self.asked.rows and 0 < depth < len(self.view.depths) - 1

    @property
    def hidden(self) -> bool:
        return self.hides(self.depth, self.row)

    def at(self, tap: str, id: int) -> float:
        """A logit or a probability of the selected word that can be pressed: what the model itself came to."""
        last = len(self.view.depths) - 1
        value = self.view.logits(last, self.row)[id] if tap == "logits" else self.view.likely[self.row, id]
        return number(self, value, Cell(f"output.{tap}", (self.row, id)))

    # ---- by chance

    @property
    def rules(self) -> Rules:
        k = self.values["topk"]
        return Rules(self.temperature, None if k == "all" else int(k), float(self.values["topp"]))

    @cached_property
    def picked(self) -> Picked:
        """The draw in this row; where nothing of it may be seen, at the end of the decoder."""
        u = float(chances(self.values["seed"], self.row + 1)[self.row])
        last = len(self.view.depths) - 1
        return picked(self.view.logits(last, self.row), self.rules, u)


def read_at(context: StageContext, depth: int, id: int, value: float | None = None, row: int | None = None) -> float:
    """How likely a word is as the state at a depth has it, of the selected row or of another."""
    row = context.row if row is None else row
    value = float(context.view.shares(depth, row)[id]) if value is None else value
    return number(context, value, likely(context, depth, id, row=row))


def likely(
    context: StageContext, depth: int, id: int, temperature: float = 1.0, row: int | None = None
) -> Cell | Measure:
    """That number: at the end and with T = 1 the model's own."""
    row = context.row if row is None else row
    if depth == len(context.view.depths) - 1 and temperature == 1:
        return Cell(LIKELY, (row, id))
    kind = "chance" if temperature == 1 else f"{WARM}chance_{hundredths(temperature)}"
    return Measure(kind, through_table(context, depth, id, row))


def logit(context: StageContext, depth: int, id: int) -> Cell | Measure:
    """The state of the selected row · the word's row of the table."""
    last = depth == len(context.view.depths) - 1
    return (
        Cell("output.logits", (context.row, id))
        if last
        else Measure("dot", through_table(context, depth, id, context.row))
    )


def through_table(context: StageContext, depth: int, id: int, row: int) -> tuple[Cell, Weight]:
    return Cell(context.view.depths[depth].tap, (row, None)), Weight(TABLE, (id, None))


def warm(context: StageContext, value: float, id: int, least: int) -> float:
    """How likely a word is at the temperature that is set, among those down to the least that is kept."""
    words = (Cell("output.logits", (context.row, one)) for one in (id, least))
    return measured(context, value, warm_kind(context), *words)


def warm_kind(context: StageContext) -> str:
    """What is measured at the temperature that is set (core.derivation.measures.words)."""
    return f"{WARM}{hundredths(context.temperature)}"


def hundredths(temperature: float) -> int:
    return round(100 * temperature)


def rows_of(page: PageContext) -> tuple[int, int]:
    """V and d of the table."""
    rows, width = table(page.model).shape
    return rows, width
