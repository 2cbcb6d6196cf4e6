"""What a stage says of itself for whoever opens it: formula, code, shapes, its table, and how to repeat it."""

import csv as writer
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.figures.followed import Followed

if TYPE_CHECKING:
    from core.edits import Edit


@dataclass(frozen=True)
class Repeat:
    """How a stage is repeated, as Python that may use `model`, `text`, `run`, `np`, `derive`, `Cell`
    and the like.

    `matrix` comes to the numbers of the page's table: of these `columns` of it, or of all behind its labels. `number`
    comes to `made`, the derivation that is `followed`; "" where that has a name, which says so itself.
    """

    matrix: str
    followed: Followed | None = None
    number: str = ""
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class Opened:
    """What one stage shows when it is opened."""

    formula: str  # LaTeX, with this cell's numbers in it
    code: Sequence[object]  # the functions that ran
    shapes: Sequence[tuple[str, tuple[str, ...], tuple[int, ...]]]  # name, dimension names, shape
    compare: Callable[[], tuple[str, float]]  # runs the other implementation: what was compared, largest difference
    table: Callable[[], str]  # the matrix shown, as CSV
    table_name: str
    compared: str = "open.compared"  # the sentence about what `compare` gives
    captured: bool = True  # whether the capture may be taken away: not while it answers the open question
    other: str = ""  # whose implementation that is, where it is none of the model's
    edits: "tuple[Edit, ...]" = ()  # the page's "what if", which belongs to what is taken away
    of_model: bool = True  # whether a model ran, so that it has taps to export
    repeat: Callable[[Any], Repeat] | None = None  # the view as a few lines of Python, for a notebook
    files: Callable[[Any], None] | None = None  # draws what this stage alone has to take away


def lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A list as CSV."""
    file = io.StringIO()
    out = writer.writer(file)
    out.writerow(head)
    out.writerows(rows)
    return file.getvalue()


def csv(array: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """A matrix with its labels; a cell that may not be seen yet stays empty."""
    seen = [["" if np.isnan(v) else repr(float(v)) for v in row] for row in array]
    return lines(["", *columns], ([label, *row] for label, row in zip(rows, seen, strict=True)))
