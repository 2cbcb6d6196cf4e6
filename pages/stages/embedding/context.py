"""What is looked at on this page: a number of a token's row, one of a row looked up by hand, or a pair of tokens."""

from functools import cached_property

import numpy as np

from core.figures.picture import veiled
from core.views.embedding import TAPS, EmbeddingView, TableSummary, embedding_view
from pages.shared.page import stage
from pages.shared.page.stage import Asked
from pages.shared.server import cached


@cached.shared
def view_of(name: str, text: str) -> EmbeddingView:
    return embedding_view(cached.capture(name, text, only=TAPS), cached.model(name))


def opening_position(view: EmbeddingView, asked: Asked) -> int:
    """The asked token; while the question is open, the nearest word that shows nothing of the answer."""
    question = asked.question
    if question is None:
        return next((i for i, special in enumerate(view.special) if not special), 0)
    row = question.row
    if not asked.open:
        return row
    others = [i for i, id in enumerate(view.ids) if id != view.ids[row]]
    return min(others, key=lambda i: (view.ids.count(view.ids[i]) > 1, view.special[i], abs(i - row), i))


def veil_of(view: EmbeddingView, asked: Asked) -> tuple[int, ...]:
    """The asked token, and every one whose row another before it fetches: two equal rows would answer."""
    if asked.row is None:
        return ()
    again = {i for i, id in enumerate(view.ids) if id in view.ids[:i]}
    return tuple(sorted(again if asked.row in again else {asked.row, *again}))


class StageContext(stage.StageContext[EmbeddingView]):
    """The selected position and dimension; a row looked up by hand; the other token of a pair."""

    @property
    def position(self) -> int:
        return self.values["pos"]

    @property
    def dim(self) -> int:
        return self.values["dim"]

    @property
    def row(self) -> int | None:
        return self.values["row"]

    @property
    def other(self) -> int | None:
        return self.values["k"]

    @property
    def kind(self) -> str:
        return self.values["pair"]

    @cached_property
    def opening(self) -> int:
        return opening_position(self.view, self.asked)

    @cached_property
    def summary(self) -> TableSummary:
        return cached.table_summary(self.page.address.model)

    # ---- the veil

    @cached_property
    def veil(self) -> tuple[int, ...]:
        return veil_of(self.view, self.asked)

    @property
    def compared(self) -> tuple[int, ...]:
        """The rows that the open question compares."""
        question = self.asked.question
        if not self.asked.open or question is None or question.template != "nearer_row":
            return ()
        return (question.row, *(int(choice.id) for choice in question.choices))

    @cached_property
    def fetched(self) -> list[int | None]:
        """The row of each token; None where it must not be seen yet."""
        hidden = set(self.veil)
        return [None if i in hidden else id for i, id in enumerate(self.view.ids)]

    @property
    def output(self) -> np.ndarray:
        """[token, d_model], as they may be shown."""
        return veiled(self.view.output, self.veil)

    def pairs(self, kind: str) -> np.ndarray:
        """[token, token], as they may be shown."""
        return veiled(self.view.pairs(kind), self.veil, 0, 1)
