"""A text written a step at a time, each step made when it is first asked for and kept."""

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Generic, Protocol, TypeVar

from .taps import Change, editing


class Step(Protocol):
    @property
    def last(self) -> bool:
        """Whether nothing comes after it."""
        ...


Made = TypeVar("Made", bound=Step)


class Stepwise(Generic[Made]):
    """Steps by their numbers, from 0; `_advance` makes the next and puts it into `_steps`."""

    def __init__(self, edits: Sequence[Change]) -> None:
        self.edits = tuple(edits)
        self._lock = Lock()  # visitors who look at one text share it
        self._steps: list[Made] = []

    def _advance(self) -> None:
        raise NotImplementedError

    def __getitem__(self, number: int) -> Made:
        """The step of this number, or the last one if it ends before."""
        if number < 0:
            raise IndexError("steps are counted from 0")
        with self._lock, editing(self.edits):
            while len(self._steps) <= number and not (self._steps and self._steps[-1].last):
                self._advance()
        return self._steps[min(number, len(self._steps) - 1)]

    def __iter__(self) -> Iterator[Made]:
        number = 0
        while True:
            step = self[number]
            yield step
            if step.last:
                return
            number += 1
