"""The run of t-SNE, played through: which snapshot is seen while it plays is all that is not in the address."""

from functools import partial
from time import monotonic

import streamlit as st

from core.views.maps import SNAPSHOTS
from pages.shared import visit
from pages.shared.page import Page
from pages.shared.stage import PICTURE, Stage
from pages.stages.meaning.look import Look

PLAYED = "meaning.run"  # in the session while the run is played: which of SNAPSHOTS is seen
PACE = 1.0  # seconds a snapshot stays


def left(page: Page) -> None:
    """A run that was left does not go on when one comes back."""
    if visit.browser().page != page.slug:
        st.session_state.pop(PLAYED, None)


def snapshot(look: Look) -> int:
    """The iterations that are seen: those of the run while it plays, else as chosen."""
    if look.values["map"] != "tsne":
        st.session_state.pop(PLAYED, None)  # there is no run to play
    played = st.session_state.get(PLAYED)
    return int(look.values["snapshot"]) if played is None else SNAPSHOTS[played]


def slider(look: Look, shown: int) -> None:
    """Under the map: the run, from its start to its end, one snapshot after another or the one that is chosen."""
    t, stage = look.t, look.page.stage
    off, playing = look.values["map"] != "tsne", PLAYED in st.session_state
    with st.container(key="run", horizontal=True, vertical_alignment="bottom", gap="small"):
        press = partial(stop, stage, str(shown)) if playing else play
        st.button(t("pause" if playing else "play"), key="play", on_click=press, disabled=off)
        held = visit.hand("snapshot_in", str(shown), partial(stop, stage))
        st.select_slider(t("snapshot"), [str(n) for n in SNAPSHOTS], disabled=off, help=t("snapshot_help"), **held)


def play() -> None:
    st.session_state[PLAYED] = 0
    visit.redraw([PICTURE])


def stop(stage: Stage, at: str) -> None:
    """The run rests at what is seen, or where the slider was moved."""
    st.session_state.pop(PLAYED, None)
    visit.apply(stage, {"snapshot": at})


def play_on() -> None:
    """The next snapshot, when this one has been seen for a while: not a step in the address, until the run rests.

    The clock begins after the slider was drawn: what it says carries the slider as the browser has it, and one that is
    a snapshot late would count as moved by hand.
    """
    if PLAYED not in st.session_state:
        return

    @st.fragment(key="clock", run_every=PACE)
    def tick() -> None:
        if monotonic() - drawn_at < 0.8 * PACE:
            return
        step()
        visit.redraw(None)

    drawn_at = monotonic()
    tick()


def step() -> None:
    if PLAYED not in st.session_state:  # it was stopped meanwhile, and goes on without this clock
        return
    st.session_state[PLAYED] += 1
    if SNAPSHOTS[st.session_state[PLAYED]] == SNAPSHOTS[-1]:
        del st.session_state[PLAYED]
        visit.change(snapshot=None)
