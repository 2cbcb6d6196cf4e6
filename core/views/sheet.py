"""The sheet: the whole model with one sentence in it. Of each token and each place, how long the vector there is; who
looks at whom, where that is more than a small share; and, of a few places, the vectors themselves.

A place is a column, in the order in which the data meets them: what stands before a stack's first layer, then of each
sub-layer what it writes and the state it leaves. The decoder that reads another stack stands behind that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..capture import Capture
from ..model.places import Place, Stack, split
from ..text.token import Token
from ..zoo import Model
from .encoder import LIKELY, Said, said
from .overview import both, entrance

WIDEST = 0.92  # of a row that a river may fill
BETWEEN = 1 / 6  # of all columns: so many are free between a stack that reads and the one that writes
LEAST = 0.1  # share of an attention that is kept: smaller ones are never drawn
STRIP = 48  # numbers of a strip: what a vector is pooled to
FULL = 0.97  # of so many numbers of a column none is larger than what has the full colour
TYPICAL = 0.9  # in so many columns the middle one of the states is not longer than what fills half a row


@dataclass(frozen=True)
class Column:
    """One place on the sheet. `id` is "row", "scaled", "sum", "enter" before the first layer; "written" by a sub-layer,
    the state that it "left"; the "norm" at a stack's end."""

    id: str
    tap: str
    place: Place
    written: bool  # whether it is of a target, beside a source that another stack reads

    @property
    def layer(self) -> int:
        """From 1; 0 outside the layers."""
        return 0 if self.place.layer is None else self.place.layer + 1


@dataclass(frozen=True, eq=False)
class Lines:
    """One attention, the mean over its heads: who looks at whom for at least `LEAST`."""

    place: Place
    pairs: np.ndarray  # uint16 [line, 2]: query, key
    shares: np.ndarray  # uint8 [line]: 255 is all of it


@dataclass(frozen=True, eq=False)
class SheetView:
    """`rows` are the tokens that are read and, after them, those of a target; `read` is how many are read."""

    rows: tuple[Token, ...]
    read: int
    columns: tuple[Column, ...]
    lengths: tuple[np.ndarray, ...]  # of each column, float32 [token]
    strips: tuple[np.ndarray, ...]  # of each column, its vectors pooled: [token, STRIP]
    sums: tuple[np.ndarray | None, ...]  # of what a sub-layer writes, the length of the state with it, before a norm
    lines: tuple[Lines, ...]
    said: tuple[Said, ...]  # what is written at each row that the output reads

    @property
    def nbytes(self) -> int:
        lines = sum(one.pairs.nbytes + one.shares.nbytes for one in self.lines)
        arrays = (*self.lengths, *self.strips, *self.sums)
        return lines + sum(array.nbytes for array in arrays if array is not None)

    def rows_of(self, column: Column) -> range:
        """The rows that a column has."""
        return range(self.read, len(self.rows)) if column.written else range(self.read)

    @cached_property
    def full(self) -> float:
        """How long a vector is that fills half a row: of the columns of states all but a tenth have a middle one that
        is not longer. A token that is a hundred times as long as the others, as the first often is, is cut instead of
        making hairlines of them."""
        states = [lengths for column, lengths in zip(self.columns, self.lengths, strict=True) if column.id != "written"]
        return float(np.quantile([np.median(lengths) for lengths in states], TYPICAL))

    @property
    def over(self) -> int:
        """So many rows are free over those of a target, beside what is read: its results lead through them."""
        return max(3, self.read // 5) if self.read < len(self.rows) else 0

    @cached_property
    def stands(self) -> tuple[float, ...]:
        """Where each column stands, in columns: those of a target behind a gap."""
        gap = BETWEEN * len(self.columns)
        return tuple(i + gap * column.written for i, column in enumerate(self.columns))

    @property
    def breadth(self) -> float:
        """How many columns wide all of it is."""
        return self.stands[-1] + 1

    @property
    def widest(self) -> float:
        """A longer vector's river is cut: it would be wider than its row."""
        return 2 * WIDEST * self.full

    def column_of(self, tap: str) -> int | None:
        """The place of a tap among the columns; None of one that has none."""
        return self._places.get(tap)

    def at(self, tap: str) -> int:
        """The same of a tap that has one. Raises KeyError of one that has none."""
        return self._places[tap]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.tap: i for i, column in enumerate(self.columns)}


def columns(model: Model) -> tuple[Column, ...]:
    """Every place, in the order in which the data meets them."""
    return tuple(column for stack in model.stacks.values() for column in of_stack(model, stack))


def of_stack(model: Model, stack: Stack) -> Iterator[Column]:
    for id, tap in entrance(model).items():
        tap = both(model, tap)[stack.target]
        yield Column(id, tap, split(tap)[0], stack.target)
    for place in stack.sublayers:
        yield Column("written", place.tap("output"), place, stack.target)
        yield Column("left", model.leaving(place), place, stack.target)
    if split(stack.exit)[0].norm:
        yield Column("norm", stack.exit, split(stack.exit)[0], stack.target)


def taps(model: Model) -> tuple[str, ...]:
    """The taps that `sheet_view` reads."""
    own = [column.tap for column in columns(model)]
    sums = [column.place.tap("residual") for column in columns(model) if column.id == "written"]
    weights = [place.tap("weights") for place in attentions(model)]
    return (*own, *sums, *weights, *(() if model.objective == "compare" else (LIKELY,)))


def attentions(model: Model) -> tuple[Place, ...]:
    return tuple(place for stack in model.stacks.values() for place in stack.sublayers if place.kind)


def sheet_view(run: Capture, model: Model) -> SheetView:
    """The view of a capture that holds `taps(model)`."""
    placed = columns(model)
    residual = (run[c.place.tap("residual")] if c.id == "written" else None for c in placed)
    return SheetView(
        rows=(*run.tokens, *run.target_in),
        read=len(run.tokens),
        columns=placed,
        lengths=tuple(lengths(run[column.tap]) for column in placed),
        strips=tuple(pooled(run[column.tap], STRIP) for column in placed),
        sums=tuple(None if state is None else lengths(state) for state in residual),
        lines=tuple(lines(place, run[place.tap("weights")]) for place in attentions(model)),
        said=said(run, model),
    )


def lengths(vectors: np.ndarray) -> np.ndarray:
    """[token, d_model] -> float32 [token]."""
    return np.linalg.norm(vectors, axis=-1).astype(np.float32)


def lines(place: Place, weights: np.ndarray) -> Lines:
    """Of [head, query, key]."""
    mean = weights.mean(0)
    pairs = np.argwhere(mean >= LEAST)
    return Lines(place, pairs.astype(np.uint16), np.round(255 * mean[tuple(pairs.T)]).astype(np.uint8))


def pooled(vectors: np.ndarray, most: int) -> np.ndarray:
    """[token, d_model] -> [token, most]: of so many neighbouring numbers the one of the greatest size, with its sign.

    >>> pooled(np.array([[1.0, -3.0, 2.0, 0.5]]), 2)
    array([[-3.,  2.]])
    """
    starts = np.linspace(0, vectors.shape[1], min(most, vectors.shape[1]) + 1).astype(int)[:-1]
    high, low = np.maximum.reduceat(vectors, starts, axis=1), np.minimum.reduceat(vectors, starts, axis=1)
    return np.where(high >= -low, high, low)


def reach(strips: np.ndarray, size: int) -> float:
    """How large a number has the full colour, in strips and in the vectors [token, size] that they are pooled from: of
    neighbours the greatest is shown, so fewer of these are smaller. NaN is left out; 1 where there is nothing else."""
    shown = np.abs(strips[np.isfinite(strips)])
    return float(np.quantile(shown, FULL ** (size / strips.shape[1]))) if shown.size else 1.0


def spread(before: Sequence[np.ndarray], after: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """How far two runs of the same tokens are apart: of the vectors [token, d_model] of each column, the length of the
    difference, float32 [token].

    Raises ValueError where they are not of the same tokens.
    """
    if any(one.shape != other.shape for one, other in zip(before, after, strict=True)):
        raise ValueError("two runs of other tokens")
    return tuple(lengths(other - one) for one, other in zip(before, after, strict=True))
