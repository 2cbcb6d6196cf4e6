"""The controls of a section: choices as segments, numbers and texts that are typed."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from core.figures.controls import Control, Controls
from pages.shared.address import visit
from pages.shared.page.stage import StageContext
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


def text_box(
    context: StageContext, name: str, label: str, longest: int, unread: str = "unread", shown: object = "", **also: Any
) -> Control:
    """A text to type. Where what was typed cannot be read it stays in its box, and the words `unread` say so, with what
    is shown instead."""
    t, typed = context.t, context.page.address.unread.get(name)
    said = {"refusal": t(unread, text=typed, shown=shown)} if typed is not None else {}
    return Control(
        name, label, text=longest, long=t("too_long", limit=grouped(longest)), use=t("use_text"), **said, **also
    )


def handed(key: str, box: Control, to: Callable[[str], None]) -> None:
    """A box whose text may be too long for an address: another one goes to `to`, which must hold no context."""
    mounted = f"{key}_controls"
    components.controls(
        key=mounted, data=Controls([box]).data(), on_typed_change=partial(visit.take_typed, mounted, to)
    )
