"""The number being followed: one line a step, the operation left, its value right, the terms as bars between."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.figures.picture import plain


@dataclass(frozen=True)
class Line:
    """One step in words. `exact` is every digit, for hovering; `lines` are the largest terms, to be read."""

    operation: str
    value: str
    exact: str = ""
    bars: Sequence[float] = ()
    focus: int | None = None  # the one bar that is meant, where it is one
    lines: Sequence[str] = ()
    reason: str = ""
    check: str = ""  # what the last step was held against


@dataclass(frozen=True)
class Followed:
    """A derivation as it is shown. `id` tells one cell from another; `note` is said under the steps."""

    id: str
    title: str
    where: str
    value: str
    exact: str = ""
    steps: Sequence[Line] = ()
    note: str = ""

    def data(self) -> dict[str, Any]:
        return plain(self)
