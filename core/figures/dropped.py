"""What dropout makes of a few numbers: some become 0, the others grow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class DroppedWords:
    label: str
    before: str
    after: str
    zero: str
    kept: str  # with {dim}, {before}, {factor}, {after}
    gone: str  # with {dim}, {before}


@dataclass(frozen=True)
class Dropped:
    """Of one token of the sentence: `before` and `after` are of the dimensions from `first` on."""

    token: int
    first: int
    before: Sequence[float]
    after: Sequence[float]
    factor: str
    words: DroppedWords

    def data(self) -> dict[str, Any]:
        return plain(self)
