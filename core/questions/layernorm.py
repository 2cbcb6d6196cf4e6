"""What does the norm give of a vector that was changed: all of it multiplied, or one number of it?"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from ..numbers import percent
from ..text.token import named
from ..views.layernorm import NormView
from .question import CLEAR, Choice, Question, repeated, words

MOST = 0.8  # of the other numbers must shrink


def each(view: NormView) -> Iterator[Question]:
    """Both questions, in an order that is the same for the same sentence; only those that have a clear answer."""
    both = (ten_times, one_times) if crc32(" ".join(view.tokens).encode()) % 2 else (one_times, ten_times)
    yield from (question for question in (ask(view) for ask in both) if question)


def asked_row(view: NormView) -> int | None:
    """The word, a repeated one if there is one, whose size the norm changes most: there is most to see."""
    asked = words(view.tokens, view.special)
    changed = lambda row: abs(np.log(max(spread(view, view.captured.before[row]), 1e-12)))  # noqa: E731
    return max(repeated(asked, view.tokens) or asked, key=changed, default=None)


def centre(view: NormView, x: np.ndarray) -> float:
    """What the norm takes off: the mean, or nothing."""
    return float(x.mean()) if view.kind == "layer" else 0.0


def spread(view: NormView, x: np.ndarray) -> float:
    """What it divides by, but for ε: the standard deviation, or the root of the mean square."""
    return float(np.sqrt(np.square(x - centre(view, x)).mean()))


def one_times(view: NormView) -> Question | None:
    """Only the number farthest out times ten: what becomes of the others, normalised? Asked where most shrink."""
    row = asked_row(view)
    if row is None:
        return None
    before = view.captured.before[row].astype(np.float64)
    dim = int(np.abs(before - centre(view, before)).argmax())
    now = before.copy()
    now[dim] *= 10
    normalized = [(x - centre(view, x)) / np.sqrt(spread(view, x) ** 2 + view.epsilon) for x in (before, now)]
    sizes = [np.abs(np.delete(x, dim)) for x in normalized]
    smaller = float((sizes[1] < sizes[0]).mean())
    if smaller < MOST:
        return None
    facts = {
        "token": named(view.tokens, row),
        "dim": dim,
        "x": float(before[dim]),
        "ten_x": float(now[dim]),
        "spread": spread(view, before),
        "ten_spread": spread(view, now),
        "ratio": float(np.median(sizes[1] / np.maximum(sizes[0], 1e-12))),
        "share": percent(smaller),
    }
    choices = tuple(Choice(id) for id in ("larger", "same", "smaller"))
    return Question("one_times", choices, "smaller", smaller - 0.5, row, facts)


def ten_times(view: NormView) -> Question | None:
    """Ten times the vector before the norm: what does the norm give? Asked where the output stays, but for rounding."""
    row = asked_row(view)
    if row is None:
        return None
    moved, largest = float(view.moves(factor=10, shift=0)[row]), float(np.abs(view.captured.after[row]).max())
    margin = 1 - moved / largest
    if margin < 1 - CLEAR:
        return None
    facts = {
        "token": named(view.tokens, row),
        "largest": largest,
        "spread": spread(view, view.captured.before[row]),
        "ten_spread": spread(view, view.ran(factor=10).before[row]),
        "d_model": view.d_model,
    }
    return Question("ten_times", tuple(Choice(id) for id in ("tenfold", "same", "tenth")), "same", margin, row, facts)
