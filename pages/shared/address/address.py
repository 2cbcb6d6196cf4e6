"""The address: parsed, repaired, patched and written by pure functions. Nothing here knows Streamlit.

A page is a function of its address. `Address` is what one run reads of it; `patched` is what a click or a widget makes
of it. What a visitor can set is declared once, as a `Parameter`, with when it ends: with its sentence, or with the
model that reads it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import urlencode

from core.zoo import ABSENT, KNOWN, SOURCES, model_for
from pages.shared.words import samples

LONGEST = 2000  # characters of a sentence
LONGEST_VALUE = 6000  # characters of any value a browser may set

Ends = Literal["sentence", "model"]


@dataclass(frozen=True)
class Parameter:
    """One value of the address. `parse` gives None for what it cannot read; `allowed` says what it can."""

    parse: Callable[[str], object | None]
    default: object
    allowed: str
    ends: Ends = "model"  # what it does not outlive; whatever ends with a sentence ends with a model, too
    number: bool = False  # whether the browser computes with it
    usual: bool = False  # moved back to its default, it leaves the address
    kept: int = 0  # so many characters of what cannot be read stay in the address, to be mended in its box


@lru_cache(4096)
def whole(low: int, high: int, default: int | None, ends: Ends = "model") -> Parameter:
    """A whole number from `low` to `high`, both included."""

    def parse(raw: str) -> int | None:
        try:
            number = int(raw) if raw.isascii() else None
        except ValueError:
            return None
        return number if number is not None and low <= number <= high else None

    return Parameter(parse, default, f"{low} … {high}", ends, number=True)


def index(count: int, default: int | None) -> Parameter:
    """A token, a position or a step of one sentence, from 0."""
    return whole(0, count - 1, default, ends="sentence")


@lru_cache(4096)
def real(low: float, high: float, default: float) -> Parameter:
    """A number from `low` to `high`, both included."""

    def parse(raw: str) -> float | None:
        try:
            number = float(raw) if raw.isascii() else None
        except ValueError:
            return None
        return number if number is not None and low <= number <= high else None

    return Parameter(parse, default, f"{low:g} … {high:g}", number=True)


@lru_cache(4096)
def choice(*ids: str, default: str | None, ends: Ends = "model") -> Parameter:
    """One of some stable English ids."""
    return Parameter(lambda raw: raw if raw in ids else None, default, ", ".join(ids), ends, usual=default is not None)


@lru_cache(4096)
def words(longest: int, default: str | None, ends: Ends = "model") -> Parameter:
    """A text of the visitor's, cut at so many characters."""
    return Parameter(lambda raw: raw[:longest], default, f"… {longest}", ends)


Table = Mapping[str, Parameter]


def guess(raw: str) -> str | None:
    """`skip`, `open` (a cell was selected while the question was open), or the id of an answer."""
    return raw if raw.replace("_", "").isalnum() and len(raw) < 32 else None


def room(raw: str) -> str | None:
    """The code of a class's room, as somebody may have typed it."""
    code = raw.strip().upper()
    return code if re.fullmatch("[A-Z2-9]{5}", code) else None


FRAME: dict[str, Parameter] = {
    "lang": choice("zh", "en", default=None),
    "theme": choice("light", "dark", default=None),
    "text": words(LONGEST, None),
    "model": Parameter(lambda raw: raw if raw in SOURCES else None, None, ", ".join(SOURCES)),
    "guess": Parameter(guess, None, "skip", ends="sentence"),
    "present": choice("1", default=None),
    "tour": choice("short", "long", default=None),
    "room": Parameter(room, None, "KQ7MX"),
}
CARRIED = ("lang", "theme", "text", "model", "present", "tour", "room")  # what a path link takes along, and guess=skip
FROM_PICTURES = ("guess", "present", "tour", "room")  # what of the frame's own a component may set


@dataclass(frozen=True)
class Repair:
    """What was wrong with the address, for one sentence to the visitor."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)


class Address:
    """The address of one run: what it says, repaired where it says nothing usable."""

    def __init__(self, raw: Mapping[str, str], language: str) -> None:
        self.raw = dict(raw)
        self.repairs: list[Repair] = []
        self.table: dict[str, Parameter] = {}
        self.values: dict[str, Any] = {}
        self.chosen: dict[str, str] = {}  # what stands in the address; the rest is default
        self.unread: dict[str, str] = {}  # what stands in the address and could not be read; its box says so
        self.instead: tuple[str, str] | None = None  # a text and a model that this page shows, not the visitor's
        self.read(FRAME)
        self.set("lang", self.values["lang"] or language)
        self.set("text", samples.example(self.lang) if self.values["text"] is None else self.values["text"])
        if len(self.raw.get("text", "")) > LONGEST:
            self.repairs.append(Repair("text_cut", {"limit": LONGEST, "length": len(self.raw["text"])}))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def lang(self) -> str:
        return str(self.values["lang"])

    @property
    def own_text(self) -> str:
        """The visitor's sentence."""
        return str(self.values["text"])

    @property
    def text(self) -> str:
        """The sentence this page shows: the visitor's, unless the page says otherwise."""
        return self.instead[0] if self.instead else self.own_text

    @property
    def model(self) -> str:
        return self.instead[1] if self.instead else self.model_of(self.own_text)

    def model_of(self, text: str) -> str:
        """The model that would read this text: the visitor's choice, else the one that follows the text."""
        return str(self.values["model"] or model_for(text))

    def read(self, table: Table) -> dict[str, Any]:
        """The values of `table`: the address's where they can be read, else the default and a repair."""
        for name, parameter in table.items():
            raw = self.raw.get(name)
            value = None if raw is None else parameter.parse(raw)
            if raw is not None and value is None and raw.strip() and parameter.kept:
                self.unread[name] = self.chosen[name] = raw[: parameter.kept]
            elif raw is not None and value is None:
                self.repair(name, raw, parameter.allowed)
            self.table[name] = parameter
            self.values[name] = parameter.default if value is None else value
            if value is not None and not (parameter.usual and value == parameter.default):
                self.chosen[name] = str(value)
        return {name: self.values[name] for name in table}

    def reading(self, text: str) -> "Address":
        """The same of another sentence, before a page has settled who reads it."""
        other = copy(self)
        other.instead, other.repairs = None, []
        other.values = {**self.values, "text": text}
        return other

    def without_text(self) -> "Address":
        """The same of no sentence, read by the model that reads this one."""
        other = copy(self)
        other.instead = "", self.model
        other.values = {**self.values, "text": "", "model": self.model}
        other.chosen = {**self.chosen, "text": "", "model": self.model}
        return other

    def repair(self, name: str, value: str, allowed: str) -> None:
        """Say, once, that a value cannot be used."""
        if name == "model" and value in ABSENT:
            repair = Repair("model_absent", {"name": KNOWN[value].title})
        else:
            allowed = allowed.replace(", ", "、") if self.values.get("lang") == "zh" else allowed
            repair = Repair("address", {"name": name, "value": value[:40], "allowed": allowed})
        if repair not in self.repairs:
            self.repairs.append(repair)

    def set(self, name: str, value: object) -> None:
        self.values[name] = value
        self.chosen[name] = str(value)

    def drop(self, name: str, allowed: str | None = None) -> None:
        """Take out a value that could be read and still means nothing here; with `allowed` the visitor is told."""
        value = self.chosen.pop(name)
        self.values[name] = None
        if allowed is not None:
            self.repair(name, value, allowed)

    def canonical(self) -> dict[str, str]:
        """What stands in the address, in its one order."""
        return {name: self.chosen[name] for name in self.table if name in self.chosen}

    def link(self) -> dict[str, str]:
        """The parameters a path link carries."""
        carried = {name: self.chosen[name] for name in CARRIED if name in self.chosen}
        in_class = self.values["present"] or self.values["room"]  # and asked at each stop
        if self.values["guess"] == "skip" and not in_class:
            carried["guess"] = "skip"
        return {name: carried[name] for name in FRAME if name in carried}

    def parameters(self) -> dict[str, dict[str, object]]:
        """Every parameter in the order of the address, as the browser is told of it."""
        return {
            name: {
                "default": p.default,
                **({"number": True} if p.number else {}),
                **({"usual": True} if p.usual else {}),
            }
            for name, p in self.table.items()
        }

    def ends(self) -> dict[str, Ends]:
        """Of each parameter that is set, what it does not outlive."""
        return {name: self.table[name].ends for name in self.chosen if name in self.table}


# ---- what a click or a widget makes of an address


def query_of(values: Mapping[str, str]) -> str:
    """An address as a browser writes it."""
    return urlencode(values)


def patched(now: Mapping[str, str], patch: Mapping[str, object], order: Iterable[str] = ()) -> dict[str, str]:
    """An address after a patch: these names get these values, None takes one out; the rest stay as they were.

    Names stand in `order`, others after them in the order they came.
    """
    after: dict[str, object] = {**now, **patch}
    names = dict.fromkeys([*(name for name in order if name in after), *after])
    return {name: str(after[name]) for name in names if after[name] is not None}


def taken(patch: object) -> dict[str, str | None]:
    """What may be taken of a patch that came from a browser, which may send anything."""
    if not isinstance(patch, Mapping):
        return {}
    return {
        name: None if value is None else str(value)[:LONGEST_VALUE]
        for name, value in patch.items()
        if isinstance(name, str)
        and (name not in FRAME or name in FROM_PICTURES)
        and (value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)))
    }


def reported(report: object, acknowledged: int) -> tuple[list[dict[str, str | None]], int]:
    """The patches of a browser's report that are not applied yet, in their order, and the number of the last."""
    patches = report.get("patches") if isinstance(report, Mapping) else None
    numbered = [
        (entry[0], entry[1])
        for entry in (patches if isinstance(patches, list) else [])
        if isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int and acknowledged < entry[0] < 1 << 40
    ]
    numbered.sort(key=lambda entry: entry[0])
    return [taken(patch) for _, patch in numbered], numbered[-1][0] if numbered else acknowledged


def with_text(now: Mapping[str, str], ends: Mapping[str, Ends], text: str) -> dict[str, object]:
    """The patch of another sentence: what was selected or guessed in the old one goes, how it is looked at stays.

    Where another model reads it, that goes too: its layers, heads and dimensions are others.
    """
    other = "model" not in now and model_for(text) != model_for(now.get("text", ""))
    return {**let_go(now, ends, everything=other), "text": text[:LONGEST]}


def with_model(now: Mapping[str, str], ends: Mapping[str, Ends], name: str) -> dict[str, object]:
    """The patch of another model; the one that follows the sentence is no choice and is not written down."""
    follows = model_for(now.get("text", "")) == name
    return {**let_go(now, ends, everything=True), "model": None if follows else name}


def let_go(now: Mapping[str, str], ends: Mapping[str, Ends], everything: bool) -> dict[str, object]:
    """What ends with a sentence; or `everything` a page has set, which ends with a model."""
    names = [name for name in now if name not in CARRIED and (everything or ends.get(name) == "sentence")]
    return {name: None for name in names if (name, now[name]) != ("guess", "skip")}


def without_surrogates(text: str) -> str:
    """A browser can hold half a character; no address can."""
    return text.encode("utf-8", "ignore").decode("utf-8")
