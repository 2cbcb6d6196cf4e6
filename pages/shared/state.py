"""The address is the state: read and repaired before any widget exists, written back whole in one order.

Widgets and components change the address in their callbacks; session state is never a second truth. What the session
keeps is only how far the browser is: the address as last written (before the first, Streamlit does not know it), and
the number of the browser's last question.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from core.zoo import SOURCES, model_for
from pages.shared import samples

LONGEST = 2000  # characters of a sentence


@dataclass(frozen=True)
class Parameter:
    """One value of the address. `parse` gives None for what it cannot read; `allowed` says what it can.

    A `switch` moved back to its default leaves the address.
    """

    parse: Callable[[str], object | None]
    default: object
    allowed: str
    switch: bool = False


def whole(low: int, high: int, default: int) -> Parameter:
    """A whole number from `low` to `high`, both included."""

    def parse(raw: str) -> int | None:
        try:
            number = int(raw) if raw.isascii() else None
        except ValueError:
            return None
        return number if number is not None and low <= number <= high else None

    return Parameter(parse, default, f"{low} … {high}")


def choice(*ids: str, default: str | None) -> Parameter:
    """One of some stable English ids."""
    return Parameter(lambda raw: raw if raw in ids else None, default, ", ".join(ids), switch=True)


@dataclass(frozen=True)
class Repair:
    """What was wrong with the address, for one sentence to the visitor."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)


FRAME = {
    "lang": choice("zh", "en", default=None),
    "theme": choice("light", "dark", default=None),
    "text": Parameter(lambda raw: raw[:LONGEST], None, ""),
    "model": choice(*SOURCES, default=None),
    "guess": Parameter(lambda raw: raw if raw.replace("_", "").isalnum() and len(raw) < 32 else None, None, "skip"),
}
SELECTED = ("q", "k", "j", "pos", "dim", "word", "step")  # cells, tokens, words of one sentence
SENTENCE_BOUND = ("guess", *SELECTED, "variant")
CARRIED = ("lang", "theme", "text", "model")  # what a path link takes along, and guess=skip


class Address:
    """The address bar during one run."""

    def __init__(self) -> None:
        self.raw: dict[str, str] = st.query_params.to_dict()
        self.repairs: list[Repair] = []
        self.order = list(FRAME)
        self.values: dict[str, Any] = {}
        self.instead: tuple[str, str] | None = None  # a text and a model that this page shows, not the visitor's
        self.chosen: dict[str, str] = {}
        self.usual: dict[str, object] = {}  # of the page's switches
        self.read(FRAME)
        self.set("lang", self.values["lang"] or browser_language())
        self.set("text", samples.example(self.lang) if self.values["text"] is None else self.values["text"])
        if len(self.raw.get("text", "")) > LONGEST:
            self.repairs.append(Repair("text_cut", {"limit": LONGEST, "length": len(self.raw["text"])}))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def lang(self) -> str:
        return str(self.values["lang"])

    @property
    def text(self) -> str:
        """The sentence this page shows: the visitor's, unless the page says otherwise."""
        return self.instead[0] if self.instead else self.own_text

    @property
    def own_text(self) -> str:
        return str(self.values["text"])

    @property
    def model(self) -> str:
        return self.instead[1] if self.instead else self.model_of(self.own_text)

    def model_of(self, text: str) -> str:
        """The model that would read this text: the visitor's choice, else the one that follows the text."""
        return str(self.values["model"] or model_for(text))

    def read(self, table: Mapping[str, Parameter]) -> dict[str, Any]:
        """The values of `table`: the address's where they can be read, else the default and a repair."""
        for name, parameter in table.items():
            raw = self.raw.get(name)
            value = None if raw is None else parameter.parse(raw)
            if raw is not None and value is None:
                repair = Repair("address", {"name": name, "value": raw[:40], "allowed": parameter.allowed})
                self.repairs += [repair] if repair not in self.repairs else []
            if name not in self.order:
                self.order.append(name)
            self.values[name] = parameter.default if value is None else value
            if parameter.switch and parameter.default is not None:
                self.usual[name] = parameter.default
            if value is not None:
                self.chosen[name] = str(value)
        return {name: self.values[name] for name in table}

    def set(self, name: str, value: object) -> None:
        self.values[name] = value
        self.chosen[name] = str(value)

    def drop(self, name: str, allowed: str) -> None:
        """Take out a value that could be read and still means nothing here; the visitor is told."""
        value = self.chosen.pop(name)
        self.values[name] = None
        self.repairs.append(Repair("address", {"name": name, "value": value, "allowed": allowed}))

    def canonical(self) -> dict[str, str]:
        return {name: self.chosen[name] for name in self.order if name in self.chosen}

    def write(self, page: str) -> None:
        """Every run but the first of a visit and of a page: there the browser does it.

        On a visit's first run it would cost a second press of Back; on a page's first it can come before the browser
        has changed the path, and would leave an entry for the old page with the new page's parameters.
        """
        if st.session_state.get("_opened_as") == page:
            st.query_params.from_dict(self.canonical())
        st.session_state["_address"] = self.canonical()
        st.session_state["_order"] = self.order

    def link(self) -> dict[str, str]:
        """The parameters a path link carries."""
        carried = {name: self.chosen[name] for name in CARRIED if name in self.chosen}
        if self.values["guess"] == "skip":
            carried["guess"] = "skip"
        return {name: carried[name] for name in FRAME if name in carried}


def browser_language() -> str:
    return "zh" if (st.context.locale or "en").lower().startswith("zh") else "en"


def change(**changes: object) -> None:
    """From a callback: these parameters get these values, None takes one out; the rest stay, in the one order."""
    now = {**st.session_state.get("_address", {}), **changes}
    order = [*st.session_state.get("_order", FRAME), *now]
    written = {name: str(now[name]) for name in order if now.get(name) is not None}
    st.query_params.from_dict(written)
    st.session_state["_address"] = written


def change_text(text: str) -> None:
    """Another sentence: what was selected or guessed in the old one goes, how the visitor looks at it stays.

    Where another model reads it, that goes too: its layers, heads and dimensions are others.
    """
    text = without_surrogates(text)
    now = st.session_state.get("_address", {})
    other = "model" not in now and model_for(text) != model_for(now.get("text", ""))
    change(**{**let_go(now, everything=other), "text": text[:LONGEST]})
    st.session_state["_text_changed"] = True
    if len(text) > LONGEST:
        st.session_state["_refused"] = Repair("text_cut", {"limit": LONGEST, "length": len(text)})


def change_model(name: str) -> None:
    """Another model reads the sentence; the one that follows the sentence is no choice and is not written down."""
    now = st.session_state.get("_address", {})
    follows = model_for(now.get("text", "")) == name
    change(**{**let_go(now, everything=True), "model": None if follows else name})


def let_go(now: Mapping[str, str], everything: bool) -> dict[str, None]:
    """What does not outlive its sentence; or `everything` a page has set, which does not outlive its model."""
    names = [name for name in now if name not in CARRIED] if everything else SENTENCE_BOUND
    return dict.fromkeys(name for name in names if (name, now.get(name)) != ("guess", "skip"))


def without_surrogates(text: str) -> str:
    """A browser can hold half a character; no address can."""
    return text.encode("utf-8", "ignore").decode("utf-8")


def report(key: str) -> Mapping[str, object]:
    """What a component last said. A browser may send anything: what is no dictionary counts as nothing."""
    said = st.session_state.get(key)
    return said if isinstance(said, Mapping) else {}


def select(key: str, table: Mapping[str, Parameter]) -> None:
    """The callback of every picture: what it says is selected goes into the address, checked like the address."""
    selection = report(key).get("selection")
    if not isinstance(selection, Mapping):
        return
    answered(selection.get("seq"))
    st.session_state["_selected"] = True
    changes: dict[str, object] = {}
    for name, value in selection.items():
        if name not in table:
            continue
        read = None if value is None else table[name].parse(str(value))
        if value is not None and read is None:
            st.session_state["_refused"] = Repair("selection", {"name": name, "allowed": table[name].allowed})
            return
        changes[name] = read
    change(**changes)


def selecting(key: str, table: Mapping[str, Parameter]) -> Callable[[], None]:
    """`select` as a picture's callback."""
    return partial(select, key, table)


def answered(number: object) -> None:
    """Remember the browser's last question: an answer to an older one must not move its selection back."""
    if isinstance(number, int) and not isinstance(number, bool):
        st.session_state["_seq"] = max(st.session_state.get("_seq", 0), min(number, 1 << 40))


def pop(name: str) -> object:
    return st.session_state.pop(name, None)


def refused() -> Repair | None:
    """What a component reported and could not be taken, once."""
    said = pop("_refused")
    return said if isinstance(said, Repair) else None
