"""The slides of a stage: a sentence each, what of the page they set, and what is said with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .picture import plain


@dataclass(frozen=True)
class Told:
    """One slide: `at` is its number in the address, `sets` a patch of it, `see` the picture it is about."""

    at: int
    sets: Mapping[str, str]
    see: str
    says: str
    notes: str


@dataclass(frozen=True)
class Slides:
    """Those of one stage: `done` come before them, of `total`; another slide lets go of what `resets` names."""

    mode: Literal["present", "short", "long"]
    stop: str
    question: str
    slides: Sequence[Told]
    resets: Sequence[str]
    done: int
    total: int
    back: bool
    then: str | None  # what comes after this stage
    words: Mapping[str, str]

    def data(self) -> dict[str, Any]:
        return plain(self)
