"""One visit: where Streamlit's session and the address meet. What the session keeps is only how far the browser is.

Widgets and pictures change the address by patches; the pieces of the page that are drawn from what changed are then
drawn anew, and no others.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.shared.address import address as addresses
from pages.shared.address.address import Address, Ends, Repair
from pages.shared.server.streamlit_inside import another_page_is_next
from pages.shared.words.texts import help_of

if TYPE_CHECKING:
    from pages.shared.page.stage import Stage, StageContext


@dataclass
class Browser:
    """How far a browser is, as its session knows it."""

    session: str = field(default_factory=lambda: secrets.token_hex(4))
    turn: int = 0  # runs so far, of the page or of a piece of it
    page: str | None = None  # the slug that was opened last
    drawn: tuple[str, str] = ("", "en")  # the page that is being drawn, and its language
    came: dict[str, str] = field(default_factory=dict)  # the address as the browser last sent it
    query: dict[str, str] = field(default_factory=dict)  # the same as read, repaired, and patched since
    order: tuple[str, ...] = ()  # of its parameters
    unread: list[Mapping[str, object]] = field(default_factory=list)  # patches since a run last read the address
    acknowledged: int = 0  # the browser's last patch that is in it
    refused: Repair | None = None  # what was typed and could not be taken whole; said once


def browser() -> Browser:
    if "browser" not in st.session_state:  # a new one asks the system for its name: not at every click
        st.session_state["browser"] = Browser()
    return st.session_state["browser"]


def language() -> str:
    return "zh" if (st.context.locale or "en").lower().startswith("zh") else "en"


def read(page: str) -> Address:
    """The address at the beginning of a run of this page."""
    here = browser()
    here.turn += 1
    here.came = query = st.query_params.to_dict()
    # A run that two callbacks asked for has the address of the first. Of what was set on a page that was left before
    # any run had read it, only what the path takes along means something on the next.
    left = here.drawn[0] not in ("", page)
    for patch in here.unread:
        kept = {name: value for name, value in patch.items() if not left or name in addresses.CARRIED}
        query = addresses.patched(query, kept, here.order)
    here.unread = []
    return Address(query, language())


def write(address: Address, page: str) -> None:
    """The whole canonical address, at every run but the first of a visit and of a page: there the browser does it.

    On a visit's first run it would cost a second press of Back; on a page's first it can come before the browser
    has changed the path, and would leave an entry for the old page with the new page's parameters.
    """
    here, canonical = browser(), address.canonical()
    here.drawn = (page, address.lang)
    if here.page == page and st.query_params.to_dict() != canonical:
        st.query_params.from_dict(canonical)
    here.query, here.order = canonical, tuple(address.table)


def echo() -> dict[str, object]:
    """What the browser is told when a piece of the page has been drawn."""
    here = browser()
    return {
        "session": here.session,
        "turn": here.turn,
        "ack": here.acknowledged,
        "query": addresses.query_of(here.query),
    }


def came() -> str:
    return addresses.query_of(browser().came)


def change(**patch: object) -> None:
    """From a callback: this patch goes into the address."""
    here = browser()
    here.query = addresses.patched(here.query, patch, here.order)
    here.unread.append(patch)
    if st.query_params.to_dict() != here.query:  # else it came from the browser's own, and need not go back
        st.query_params.from_dict(here.query)


def redraw(pieces: Iterable[str] | None) -> None:
    """The last act of a callback: these pieces of the page are drawn anew, or all of it (None)."""
    if pieces is not None and not (pieces := list(pieces)):
        return
    if another_page_is_next():
        return
    try:
        st.rerun("app" if pieces is None else pieces)
    except StreamlitAPIException:  # a piece is not there (any more): the whole page
        st.rerun()


# ---- callbacks


def hear(key: str, stage: "Stage", own: str | None = None) -> None:
    """What the pictures selected: a report of the address component, or of one in a piece of its `own`, which is
    drawn anew without being named: that saves Streamlit the beginning of a run of the whole page.
    """
    said = st.session_state.get(key)
    report = said.get("report") if isinstance(said, Mapping) else None
    if not isinstance(report, Mapping) or report.get("page") != stage.slug:
        return
    here = browser()
    patches, here.acknowledged = addresses.reported(report, here.acknowledged)
    patch = unanswered(stage, {name: value for one in patches for name, value in one.items()})
    change(**patch)
    lacks = report.get("lacks")
    lacking = [piece for piece in lacks if isinstance(piece, str)] if isinstance(lacks, list) else []
    pieces = stage.concerned(here.query, patch, lacking)
    if pieces is None or (pieces != [own] and (pieces or own is None)):
        redraw(["derivation"] if pieces == [] else pieces)


def set_up(stage: "Stage", ends: Mapping[str, Ends], patch: Mapping[str, object]) -> None:
    """A button's patch; another sentence is one, too."""
    if isinstance(text := patch.get("text"), str):
        return take_text(ends, text)
    apply(stage, patch)


def apply(stage: "Stage", patch: Mapping[str, object]) -> None:
    """A patch, and what it concerns drawn anew."""
    patch = unanswered(stage, patch)
    change(**patch)
    redraw(stage.concerned(browser().query, patch))


def unanswered(stage: "Stage", patch: Mapping[str, object]) -> dict[str, object]:
    """Whoever looks around while a question is open has not answered it: a reload must not, either."""
    looked = any(patch.get(name) is not None for name in (*stage.opened_by, "task"))
    return {"guess": "open", **patch} if looked and "guess" not in browser().query else dict(patch)


def change_all(**patch: object) -> None:
    """A patch that concerns the frame: everything is drawn anew."""
    change(**patch)
    redraw(None)


def take_text(ends: Mapping[str, Ends], text: str) -> None:
    text = addresses.without_surrogates(text)
    if len(text) > addresses.LONGEST:
        refuse(Repair("text_cut", {"limit": addresses.LONGEST, "length": len(text)}))
    change_all(**addresses.with_text(browser().query, ends, text))


def take_model(ends: Mapping[str, Ends], name: str) -> None:
    change_all(**addresses.with_model(browser().query, ends, name))


def refuse(repair: Repair) -> None:
    """What was typed and could not be taken whole is said at the next run."""
    browser().refused = repair


def refused() -> Repair | None:
    """What was typed and could not be taken whole, once."""
    here = browser()
    repair, here.refused = here.refused, None
    return repair


# ---- native widgets


def bind(context: "StageContext", name: str, /, **also: object) -> dict[str, Any]:
    """A native widget on a parameter: `st.number_input(label, 0.0, 1.0, **bind(context, "rate"))`.

    The address sets the widget, at each run; the widget changes the address, and with it `also`.
    """
    return controlled(f"{name}_in", context.values[name], partial(moved, context.page.stage, name, also))


def moved(stage: "Stage", name: str, also: Mapping[str, object], value: object) -> None:
    apply(stage, {**also, name: value})


def controlled(key: str, value: object, to: Callable[[Any], None]) -> dict[str, Any]:
    """A native widget that is no parameter as it stands: each run sets it to `value`, and what the visitor makes of it
    goes to `to`, which must hold no context."""
    st.session_state[key] = value
    name = "slot" if key.startswith("slot_") else key.removesuffix("_in")
    return {"key": key, "on_change": partial(handed, key, to), "help": help_of(*browser().drawn, name)}


def handed(key: str, to: Callable[[Any], None]) -> None:
    value = st.session_state[key]
    to(addresses.without_surrogates(value) if isinstance(value, str) else value)


def take_typed(key: str, to: Callable[[str], None]) -> None:
    """What the box of a row of controls hands over. A browser may send anything: what is no text counts as nothing."""
    said = st.session_state.get(key)
    text = said.get("typed") if isinstance(said, Mapping) else None
    if isinstance(text, str):
        to(addresses.without_surrogates(text))


def on_press(context: "StageContext", /, **patch: object) -> Callable[[], None]:
    """What a native button does that sets something up."""
    return partial(set_up, context.page.stage, context.page.address.ends(), patch)
