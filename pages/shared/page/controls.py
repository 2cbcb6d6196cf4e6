"""The controls of a section: choices as segments, numbers that are typed."""

from collections.abc import Mapping
from types import MappingProxyType

from core.figures.controls import Control, Controls
from pages.shared.pictures import components
from pages.shared.words.numbers import grouped
from pages.shared.words.texts import Texts


def controls(key: str, *of: Control) -> None:
    """In a row. What is chosen goes into the address; the section says in its `redraws` what is drawn from it."""
    components.controls(key=f"{key}_controls", data=Controls(of).data())


def typed(
    t: Texts,
    name: str,
    label: str,
    low: int,
    high: int,
    step: float = 1,
    also: Mapping[str, object] = MappingProxyType({}),
) -> Control:
    """A number to type, a whole one where its step is whole, and what is said to one that cannot be used; what another
    number lets go of besides."""
    ends = {"low": grouped(low), "high": grouped(high)}
    refusal = t("typed_refusal" if float(step).is_integer() else "typed_refusal_real", **ends)
    return Control(name, label, number=(low, high), step=step, refusal=refusal, also=also)
