"""One position as a row of clock hands: each pair of dimensions is one. The rows are those that the waves hold."""

from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Turned:
    """Two hands on each of a few clocks: one at the position, one as many positions on as `param` says."""

    param: str
    count: int  # of clocks


@dataclass(frozen=True)
class ClocksWords:
    """{position} and {by} in the `title` are filled in by the browser. `clock` and `dim` stand before a number; `every`
    shows the slow clocks, too, `fewer` folds them."""

    title: str
    clock: str
    dim: str
    every: str = ""
    fewer: str = ""


@dataclass(frozen=True)
class Clocks:
    words: ClocksWords
    moved: Turned | None = None

    def data(self) -> dict[str, Any]:
        return plain(self)
