"""Where a class or a tour begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Begin:
    """A tour begins at `home` with what is `carried` along, behind one word where it is `folded`; `presents` says that
    there are slides to be shown to a class."""

    home: str
    carried: Mapping[str, str]
    folded: bool
    presents: bool
    words: Mapping[str, str]

    def data(self) -> dict[str, Any]:
        return plain(self)
