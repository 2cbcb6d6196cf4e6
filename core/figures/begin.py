"""Where a class or a tour begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.figures.picture import plain


@dataclass(frozen=True)
class Begin:
    """A tour begins at `home` with what is `carried` along; `full` also offers to present."""

    home: str
    carried: Mapping[str, str]
    full: bool
    words: Mapping[str, str]

    def data(self) -> dict[str, Any]:
        return plain(self)
