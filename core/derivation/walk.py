"""The way back from a number, along each step's largest term, until it ends in what was learned, or in a place."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..capture import Capture
from .derive import derive
from .origins import Cell, Weight
from .steps import Derivation


@dataclass(frozen=True)
class Stop:
    """A cell on the way, and how it was made."""

    cell: Cell
    derivation: Derivation

    @property
    def end(self) -> Weight | None:
        """The parameter in which the way ends here; None where it goes on, or ends in a place, which nobody learned."""
        onward = self.derivation.onward
        return onward if isinstance(onward, Weight) else None


def path(run: Capture, cell: Cell | str) -> Iterator[Stop]:
    """The chain from `cell` to its end: each stop when it is asked for, so that it can be walked with pauses."""
    at: Cell | None = Cell.parse(cell) if isinstance(cell, str) else cell
    while at is not None:
        stop = Stop(at, derive(run, at))
        yield stop
        onward = stop.derivation.onward
        at = onward if isinstance(onward, Cell) else None
