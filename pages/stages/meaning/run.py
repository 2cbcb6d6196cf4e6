"""The run of t-SNE, played through: which snapshot is seen while it plays is all that is not in the address."""

from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic

import streamlit as st

from core.views.maps import SNAPSHOTS
from pages.shared import visit
from pages.shared.page import Page
from pages.shared.stage import PICTURE, Stage
from pages.stages.meaning.look import Look

PLAYED = "meaning.run"  # in the session while the run is played
PACE = 1.0  # seconds a snapshot stays


@dataclass
class Played:
    """Where the run is: which of SNAPSHOTS is seen, and since when; `inf` until it is drawn."""

    at: int = 0
    since: float = inf


def played() -> Played | None:
    return st.session_state.get(PLAYED)


def left(page: Page) -> None:
    """A run that was left does not go on when one comes back."""
    if visit.browser().page != page.slug:
        st.session_state.pop(PLAYED, None)


def is_on(look: Look) -> bool:
    if look.values["map"] != "tsne":
        st.session_state.pop(PLAYED, None)  # there is no run to play
    return played() is not None


def snapshot(look: Look) -> int:
    """The iterations that are seen: those of the run while it plays, else as chosen."""
    now = played()
    return SNAPSHOTS[now.at] if now else int(look.values["snapshot"])


def step() -> None:
    """The next snapshot, where this one has been seen for a while: not a step in the address, until the run rests."""
    now = played()
    if now is None or monotonic() - now.since < 0.8 * PACE:
        return
    now.at, now.since = now.at + 1, inf
    if SNAPSHOTS[now.at] == SNAPSHOTS[-1]:
        del st.session_state[PLAYED]
        visit.change(snapshot=None)
        visit.redraw(None)  # without its clock


def seen() -> None:
    now = played()
    if now:
        now.since = min(now.since, monotonic())


def slider(look: Look) -> None:
    """Under the map: the run, from its start to its end, one snapshot after another or the one that is chosen."""
    t, stage, shown = look.t, look.page.stage, str(snapshot(look))
    off, playing = look.values["map"] != "tsne", played() is not None
    with st.container(key="run", horizontal=True, vertical_alignment="bottom", gap="small"):
        press = partial(stop, stage, shown) if playing else play
        st.button(t("pause" if playing else "play"), key="play", on_click=press, disabled=off)
        held = visit.hand("snapshot_in", shown, partial(stop, stage))
        st.select_slider(t("snapshot"), [str(n) for n in SNAPSHOTS], disabled=off, help=t("snapshot_help"), **held)


def play() -> None:
    st.session_state[PLAYED] = Played()
    visit.redraw([PICTURE])


def stop(stage: Stage, at: str) -> None:
    """The run rests at what is seen, or where the slider was moved."""
    st.session_state.pop(PLAYED, None)
    visit.apply(stage, {"snapshot": at})
