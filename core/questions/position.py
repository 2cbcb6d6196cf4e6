"""Two words change places: which vectors change, with positions or without? Which two positions are farther apart?"""

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from ..views.orders import SAME, OrderView
from ..views.position import PositionTable
from .question import Choice, Question

WORDED = {"on": "all", "off": "none"}  # the answers that there are words for
NEAR, FAR = (0, 1), (100, 101)
SEEN = 0.01  # as a share of its length: what differs more has plainly changed


def each_swap(view: OrderView | None, first: str = "", second: str = "") -> Iterator[Question]:
    """Of the words `first` and `second` in each other's place: with positions of one sentence, without of the next;
    then of the other reader."""
    if view is None:
        return
    readers = ("on", "off") if crc32(view.texts[0].encode()) % 8 < 4 else ("off", "on")
    asked = (which_change(view, reader, first, second) for reader in readers)
    yield from (question for question in asked if question)


def which_change(view: OrderView, reader: str, first: str, second: str) -> Question | None:
    """Which of the last vectors change? None where there is no clear answer."""
    share, moved = view.readings[reader].difference, view.moved()
    row = next((i for i in moved if not view.special[i]), None)
    answer = changed(share, moved)
    if row is None or answer is None or answer != WORDED[reader]:
        return None
    facts = {
        "first": first,
        "second": second,
        "least": float(share.min()),
        "most": float(share.max()),
    }
    choices = tuple(Choice(id) for id in ("none", "moved", "all"))
    return Question(f"which_change.{reader}", choices, answer, 1.0, row, facts)


def changed(share: np.ndarray, moved: list[int]) -> str | None:
    """Of differences as shares of the vectors' lengths: none, all, or those of the words that moved and no others."""
    others = np.delete(share, moved)
    if share.max() < SAME:
        return "none"
    if share[moved].min(initial=np.inf) < SEEN:
        return None
    if others.min(initial=np.inf) > SEEN:
        return "all"
    return "moved" if others.max() < SAME else None


def farther_apart(table: PositionTable) -> Question | None:
    """Which two positions are farther apart, 0 and 1 or 100 and 101? Of waves the gap alone counts. None of a table
    that ends before."""
    if len(table.rows) <= max(FAR):
        return None
    near, far = (float(np.linalg.norm(table.rows[a] - table.rows[b])) for a, b in (NEAR, FAR))
    answer = "equal" if abs(near - far) < SAME * near else "near" if near > far else "far"
    facts = {"near": near, "far": far, "d_model": table.d_model}
    choices = tuple(Choice(id) for id in ("near", "far", "equal"))
    return Question("farther_apart", choices, answer, 1.0, 0, facts)
