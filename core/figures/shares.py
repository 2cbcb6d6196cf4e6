"""Parts of a whole, a row each: a bar as long as its share, and its number. A press follows that number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .picture import plain


@dataclass(frozen=True)
class Share:
    """One part. `share` is of the whole, 0 to 1; None while a question is open. A `total` stands under a line. What a
    press selects where that is more than one parameter: `picks`."""

    id: str
    name: str
    value: str
    said: str = ""
    share: float | None = None
    also: str = ""  # a second number
    total: bool = False
    start: float = 0.0  # where the bar begins, 0 to 1: where parts are added up one after the other
    negative: bool = False  # whether it takes away
    picks: Mapping[str, object] = field(default_factory=dict)
    rest: bool = False  # whether it is all that has no row of its own


@dataclass(frozen=True)
class Shares:
    param: str  # what a press selects; "": nothing, where a row does not say
    first: str  # the row that is selected while the address has none
    rows: Sequence[Share]
    head: Sequence[str]  # above the numbers: of the part, its share, the value, the second one
    label: str
    caption: str = ""
    added: bool = False  # whether the bars are laid end to end
    bare: bool = False  # whether there are none: what they would say is drawn elsewhere

    def data(self) -> dict[str, Any]:
        return plain(self)
