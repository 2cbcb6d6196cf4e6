"""What is looked at on this page: one cell of one head, in one mode."""

import numpy as np

from core.derivation import Cell, Measure
from core.exercises.attention import Layers
from core.named_heads import known
from core.views.attention import MODES, SQUARE, AttentionView, clearest
from core.views.heads import clearest_row
from pages.shared.number.number_links import attended, measured
from pages.shared.page import one_head
from pages.shared.page.one_head import first_kind
from pages.shared.page.stage import Asked, PageContext
from pages.shared.pictures.pictures import window
from pages.shared.server import cached

__all__ = ["MODES", "SQUARE", "StageContext", "axes", "in_sight", "opening_cell", "opening_head", "telling", "view_of"]

WINDOW = 96  # places of a long text that a section shows at once


def opening_head(page: PageContext) -> tuple[int, int]:
    """Layer and head to open on: the model's own, else those that look most decidedly at this sentence."""
    return one_head.opening(page) or clearest_head(*page.key)


@cached.shared
def clearest_head(name: str, text: str) -> tuple[int, int]:
    run = cached.capture(name, text, only=("*.attention.weights", "*_attention.weights"))
    layer, head = clearest(run, cached.model(name).attentions[0])
    return layer + 1, head + 1


def view_of(page: PageContext, layer: int, kind: str | None = None) -> AttentionView:
    """The view of a layer of this sentence, counted from 1."""
    return cached.attention(page.address.model, page.text, layer, kind or first_kind(page))


def opening_cell(page: PageContext, view: AttentionView, asked: Asked) -> tuple[int, int]:
    """While the question is open, where of the other words one looks most at another; after that, the asked row's
    largest."""
    question = asked.question if view.kind == first_kind(page) else None
    layer, head = opening_head(page)
    opened = view_of(page, layer, view.kind)
    weights = opened.weights[head - 1]
    if question and asked.open:
        return most_at_another(opened, weights, question.row)
    row = question.row if question else clearest_row(weights, view.kind in ("self", "causal"))
    return row, int(weights[row].argmax())


def most_at_another(view: AttentionView, weights: np.ndarray, veiled: int) -> tuple[int, int]:
    """Of the words that are not veiled, the largest weight on another word; where there is none, a neighbour's own."""
    words = ~np.array([token.special for token in view.queries])
    others = np.outer(words, words) & ~np.eye(len(words), dtype=bool)
    others[veiled] = False
    if not others.any():
        neighbour = veiled - 1 if veiled else 1
        return neighbour, neighbour
    q, k = np.unravel_index(np.where(others, weights, -1).argmax(), weights.shape)
    return int(q), int(k)


def telling(page: PageContext, view: AttentionView, q: int, k: int) -> int:
    """The dimension whose product is the largest in q·k of the cell that is opened on."""
    layer, head = opening_head(page)
    opened = view_of(page, layer, view.kind)
    return int(np.abs(opened.query[head - 1, q] * opened.key[head - 1, k]).argmax())


def in_sight(count: int, at: int) -> slice:
    """The places of a long text that a section shows at once, around `at`."""
    return window(count, at, WINDOW)


def axes(mode: str) -> tuple[str, str]:
    """The parameters that a mode's rows and columns stand for."""
    if mode in SQUARE:
        return "q", "k"
    return ("k" if mode in ("key", "value") else "q"), "dim"


class StageContext(one_head.StageContext[AttentionView]):
    """The selected cell. Layers and heads count from 1, as in the address."""

    @property
    def show(self) -> str:
        return self.values["show"]

    @property
    def square(self) -> bool:
        """Whether rows and columns are both tokens."""
        return self.show in SQUARE

    @property
    def cell(self) -> tuple[int, int]:
        """Row and column of what is followed."""
        row, column = axes(self.show)
        return self.values[row], self.values[column]

    @property
    def number(self) -> Cell | Measure:
        """What is followed."""
        return self.number_of(self.show, *self.cell)

    def number_of(self, mode: str, row: int, column: int) -> Cell | Measure:
        """A cell of the selected head, in one mode."""
        head = self.head - 1
        if mode != "contribution":
            return Cell(self.view.taps[mode], (head, row, column))
        weights, values = (self.view.taps[name] for name in ("weights", "value"))
        return Measure("share", (Cell(weights, (head, row, None)), Cell(values, (head, column, None))))

    def at(self, name: str, *index: int) -> float:
        """A number of the selected head that can be pressed, by the name of its array in the view."""
        return attended(self, self.view, name, self.head - 1, *index)

    def brings(self, kind: str, value: float, row: int, key: int) -> float:
        """What a key brings a row (a length, its share): it can be followed, too."""
        weights, values = (self.view.taps[name] for name in ("weights", "value"))
        rows = [Cell(weights, (self.head - 1, row, None)), Cell(values, (self.head - 1, key, None))]
        return measured(self, value, kind, *(rows[1:] if kind == "carried" else rows))

    @property
    def row_tokens(self) -> tuple[str, ...]:
        return self.view.tokens if axes(self.show)[0] == "q" else self.view.key_tokens

    @property
    def mixed(self) -> bool:
        """Whether a token's name stands for a vector that others are mixed into by now."""
        return (self.layer > 1 or self.kind == "cross") and len(self.view.keys) > 1

    @property
    def named_head(self) -> str | None:
        """What the selected head is known for; not said while the question is open."""
        return self.known(self.head)

    def known(self, head: int) -> str | None:
        return None if self.veil else known(self.page.address.model).get((self.layer, head))

    @property
    def practised(self) -> Layers:
        page, kind = self.page, self.kind
        return Layers(self.view, page.model.config.layers, lambda layer: view_of(page, layer, kind))
