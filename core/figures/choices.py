"""Several of many, behind one word: which groups are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Choices:
    """The parameter holds the chosen ids between commas."""

    param: str
    label: str  # {n} in it: how many are chosen
    options: Sequence[tuple[str, str]]  # id, and what it is called

    def data(self) -> dict[str, Any]:
        return plain(self)
