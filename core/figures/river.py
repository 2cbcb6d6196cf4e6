"""One token's stream through the layers of a stack, and how long what each sub-layer adds is, measured by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .picture import plain


@dataclass(frozen=True)
class Flow:
    """A sub-layer: what comes from which side. Its lengths are None while a question asks for them."""

    layer: int  # from 1
    side: Literal["left", "right"]
    name: str
    before: float | None  # ‖x‖
    written: float | None  # ‖Δ‖
    share: str | None  # ‖Δ‖ ÷ ‖x‖, as it stands at the arrow
    added: float | None  # ‖x + Δ‖
    after: float | None  # ‖x‖ as it leaves
    picks: Mapping[str, object]  # what a press selects


@dataclass(frozen=True)
class RiverWords:
    label: str
    title: str
    left: str
    right: str
    layer: str  # {layer}
    said: str  # {layer} {name} {before} {written} {added} {after}
    veiled: str
    caption: str


@dataclass(frozen=True)
class River:
    steps: Sequence[Flow]
    longest: float  # times as long as the stream: longer arrows are cut
    words: RiverWords

    def data(self) -> dict[str, Any]:
        return plain(self)
