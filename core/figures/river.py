"""One token's vector through the layers of a stack, drawn as wide as it is long."""

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
    words: RiverWords

    def data(self) -> dict[str, Any]:
        return plain(self)
