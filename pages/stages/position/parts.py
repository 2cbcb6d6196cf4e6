"""What the sections of this page share: an opening, numbers to type, derivations in words."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.derivation import Derivation
from core.figures.clocks import Clocks, ClocksWords, Turned
from core.figures.controls import Control
from core.figures.followed import Followed, Line
from pages.shared.number import follow
from pages.shared.page import controls
from pages.shared.page.parts import heading, write
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts


def sines_first(d_model: int) -> list[int]:
    """The order of columns in which sines and cosines, side by side in a pair, lie apart: seen side by side, they blur
    into a grey that is in neither."""
    return [*range(0, d_model, 2), *range(1, d_model, 2)]


def begin(t: Texts, name: str, text: str = "text", **values: object) -> None:
    """A section's heading, and a sentence or two on what it is for."""
    write(heading(t, name), f"<p class='lead'>{t.html(f'{name}.{text}', **values)}</p>")


def typed(t: Texts, name: str, low: int, high: int, **also: object) -> Control:
    return controls.typed(t, name, t(f"typed.{name}"), low, high, also=also)


def lines(t: Texts, derivation: Derivation, check: str, **names: object) -> list[Line]:
    """The steps in words, and what the last was held against."""
    steps = tuple(replace(step, parts=spoken(step.parts)) for step in derivation.steps)
    return follow.lines(t, replace(derivation, steps=steps), check, **spoken(names))


def spoken(values: Mapping[str, Any]) -> dict[str, Any]:
    """Whole numbers as they stand in a sentence: positions and steps may be long."""
    return {name: grouped(x) if isinstance(x, int) else x for name, x in values.items()}


def nothing(t: Texts, id: str, title: str, where: str, note: str) -> Followed:
    """A number that there is not."""
    return Followed(id, t(title), where, "–", note=note)


def clocks(t: Texts, title: str, moved: Turned | None = None, **more: str) -> Clocks:
    return Clocks(ClocksWords(title, t("clock"), t("matrix.dim"), **more), moved)
