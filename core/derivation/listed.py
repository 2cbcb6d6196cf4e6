"""Every edit and every measure there is, each with what it is called: for whoever wants to know what to ask for.

The words are those of the site (assets/lessons/cells.toml), in either language.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache

from ..counting import agreed
from ..edits import forms
from ..files import ASSETS
from .measures import KINDS, gradients, words
from .origins import Measure

WORDS = ASSETS / "lessons/cells.toml"
BLANK = re.compile(r"\{(\w+)[^}]*\}")  # what a name says of one number or place


@cache
def said(language: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))[language]


def edits(language: str) -> dict[str, str]:
    """How the id of each edit is written -> what it does, in "zh" or "en".

    >>> edits("en")["restart:<most>"]
    'positions from 0 again every <most> tokens'
    """
    return {form: edit_said(form, language) for form in forms()}


def edit_said(form: str, language: str) -> str:
    name, _, rest = form.partition(":")
    parts = rest.split(".")
    place = ".".join(parts[:2] if name.startswith(("mute", "average")) else parts)
    keys = {"cut": ["cut_one" if rest else "cut"], "apart": ["apart_0", "apart_1"]}.get(name, [name])
    names = {"place": place, "first": parts[0], "middle": parts[len(parts) // 2], "last": parts[-1]}
    return " / ".join(agreed(said(language)["edit"][key], names).format(**names) for key in keys)


def measures(language: str) -> dict[str, tuple[str, str]]:
    """Each kind of measure -> what it is of, as an index, and what it is called, in "zh" or "en".

    >>> measures("en")["row_mean"]
    ('[:]', 'mean of a row')
    """
    return {kind: (of(kind), measure_said(kind, language)) for kind in KINDS}


def of(kind: str) -> str:
    """What a kind is measured of: for each origin the axes that stand open; "…" where it may be many, in groups."""
    each = ["[" + ", ".join([":"] * open) + "]" if open else "number" for open in KINDS[kind].open]
    return ", ".join(each) + (" …" if KINDS[kind].grouped else "")


def measure_said(kind: str, language: str) -> str:
    names, what = said(language)["measure"], Measure(kind, ())
    if "warm_" in kind:
        warmth = f"{words.temperature_of(what):g}"
        return BLANK.sub(lambda blank: warmth if blank[1] == "T" else "…", names[kind.rpartition("_")[0]])
    if kind.startswith(gradients.NAME):
        door = gradients.door_of(what)
        own = BLANK.sub("…", names[gradients.kind_of(what)])
        through = said(language)["through_door"][door] if door else ""
        loss = said(language)["loss"]["toward"].format(text="…") if kind.endswith(gradients.TOWARD) else ""
        return " · ".join(filter(None, (own, through, loss)))
    return BLANK.sub("…", names[kind])
