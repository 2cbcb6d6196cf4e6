"""What is looked at on this page: two tokens of the sentence, at one depth."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.derivation import Cell, Measure
from core.questions import Question, some
from core.questions.output import next_offered
from core.questions.overview import each, pair_of
from core.text.token import named
from core.views import sheet
from core.views.encoder import LIKELY
from core.views.overview import Depth, OverviewView, depth_taps, overview_view, taps
from core.views.sheet import SheetView
from pages.shared.page import stage
from pages.shared.page.stage import Asked, PageContext
from pages.shared.server import cached


@cached.shared
def views_of(name: str, text: str) -> tuple[OverviewView, SheetView, bool]:
    """All that the page shows at first, out of one pass: of a long text a chat model's takes seconds; and whether it is
    asked elsewhere what comes next. The numbers that it may open on are those of the depths before and after the
    layers, and in their middle."""
    model = cached.model(name)
    depths = [read for _, _, read in depth_taps(model)]
    opened = (depths[-1], depths[-1 - model.config.layers], depths[-1 - (model.config.layers + 1) // 2])
    read = (*taps(model), *sheet.taps(model))
    run = cached.capture(name, text, only=read, followed=tuple(tap for depth in opened for tap in depth))
    asks = model.objective == "next" and bool(next_offered(run[LIKELY][-1], model.tokenizer.names)[0])
    return overview_view(run, model), sheet.sheet_view(run, model), asks


def view_of(name: str, text: str) -> OverviewView:
    return views_of(name, text)[0]


def sheet_of(name: str, text: str) -> SheetView:
    return views_of(name, text)[1]


@cached.shared
def questions_of(name: str, text: str) -> Sequence[Question]:
    return some(each(view_of(name, text)))


@cached.shared
def first_pair(name: str, text: str) -> tuple[int, int]:
    return view_of(name, text).pair()


def veiled_from(view: OverviewView, asked: Asked) -> int:
    """The first depth at which the asked token is veiled, that after layer 1; beyond the last where nothing is."""
    count = len(view.depths)
    return count - view.layers if asked.open and asked.question else count


def opening_pair(page: PageContext, view: OverviewView, asked: Asked) -> tuple[int, int]:
    """The two the question is about; while it asks which is nearest, the first it offers: how alike is veiled."""
    question = asked.question
    if question and question.template == "nearer_or_farther":
        return pair_of(view, question)
    if question is None:
        return first_pair(*page.key)
    return int(question.choices[0].id if asked.open else question.answer), question.row


class StageContext(stage.StageContext[OverviewView]):
    """The selected depth, and the two tokens that are compared."""

    @property
    def depth(self) -> int:
        return self.values["depth"]

    @property
    def pair(self) -> tuple[int, int]:
        return self.values["q"], self.values["k"]

    @property
    def layers(self) -> int:
        return self.page.model.config.layers

    @cached_property
    def cosines(self) -> np.ndarray:
        """[depth] of the pair."""
        return self.view.cosines(*self.pair)

    def state(self, depth: int, row: int) -> Cell:
        """A token's state at one depth: the rows of the target stand after the source's."""
        written = row >= self.view.read
        return Cell(self.view.depths[depth].taps[written], (row - self.view.read if written else row, None))

    def cosine(self, depth: int, one: int, other: int) -> Measure:
        """How alike two tokens are at one depth."""
        return Measure("cosine", (self.state(depth, one), self.state(depth, other)))

    @property
    def next_is_asked(self) -> bool:
        """Whether the stop about the output still asks what comes after the text: not who waves questions off."""
        return views_of(*self.page.key)[2] and self.page.address["guess"] != "skip"

    # ---- the veil: the asked token from some depth on

    @cached_property
    def veiled_from(self) -> int:
        return veiled_from(self.view, self.asked)

    def hidden(self, depth: int) -> bool:
        """Would the cosine at this depth answer the open question?"""
        return depth >= self.veiled_from and self.asked.row in self.pair

    def veil(self, depth: int) -> tuple[int, ...]:
        """The veiled rows at a depth."""
        return self.asked.rows if depth >= self.veiled_from else ()

    # ---- names

    def title(self, depth: Depth) -> str:
        return self.t(f"depths.{depth.id}", number=depth.number)

    def brief(self, id: str, number: int) -> str:
        """Over its column and under its point, where there is little room."""
        key = f"depths.brief.{id}"
        return self.t(key if key in self.t else f"depths.{id}", number=number)

    def name(self, token: int) -> str:
        """As its own side of a translation names it."""
        read = self.view.read
        side = slice(read, None) if token >= read else slice(read)
        return named(self.view.tokens[side], token - (side.start or 0))
