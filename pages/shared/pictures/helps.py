"""What each control does, in a sentence (assets/lessons/help.toml), found by the page and the control's name."""

from collections.abc import Iterator, Mapping
from typing import Any

from pages.shared.address import visit
from pages.shared.words.texts import help_of


def explained(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the row of controls is given (core/figures/controls.py), with what each does."""
    page, language = visit.browser().drawn
    for control in every(data):
        control["help"] = help_of(page, language, control["name"]) or ""
    return data


def every(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from data["controls"]
    yield from (data.get("more") or {}).get("controls", ())
