"""What stands round the map: which words are on it and how they are arranged, and the run, played through."""

from collections.abc import Sequence
from time import monotonic

import streamlit as st

from core.views.maps import METHODS, METRICS, SNAPSHOTS, STARTS
from core.views.meaning import written
from pages.shared import ask, state
from pages.shared.page import Page
from pages.shared.texts import Texts
from pages.stages.meaning_words import OWN, SENTENCE, chosen_groups, name_of, ready

PERPLEXITIES = (2, 5, 10, 20, 30, 50)
LONGEST_LIST = 50_000  # characters of a list of words
FRAME = "_frame"  # in the session while the run is played: which snapshot is seen
PACE = 1.0  # seconds a snapshot stays while the run is played


def changed(name: str) -> None:
    """A widget of the parameter `name` moved: its value goes into the address."""
    value = st.session_state[f"{name}_in"]
    if value is not None:
        state.change(**{name: value})


def moved(name: str) -> dict:
    """What a widget of the parameter `name` needs besides its value."""
    return {"key": f"{name}_in", "on_change": changed, "args": (name,)}


def controls(page: Page, values: dict) -> None:
    t = page.t
    with st.container(key="map_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        groups_control(page, values)
        segments(t, "map", METHODS, values)
        tsne = values["map"] == "tsne"
        st.session_state["perplexity_in"] = values["perplexity"]
        st.select_slider(
            t("perplexity"), [str(p) for p in PERPLEXITIES], disabled=not tsne, width=210, help=t("perplexity_help"),
            **moved("perplexity"),
        )  # fmt: skip
        with st.popover(t("more"), key="more"):
            more_controls(t, values, tsne)


def segments(t: Texts, name: str, options: Sequence[str], values: dict, disabled: bool = False) -> None:
    st.session_state[f"{name}_in"] = values[name]
    st.segmented_control(
        t(f"{name}_label"), options, format_func=lambda id: t(f"{name}.{id}"), required=True, disabled=disabled,
        **moved(name),
    )  # fmt: skip


def more_controls(t: Texts, values: dict, tsne: bool) -> None:
    segments(t, "dimensions", ("2", "3"), values)
    segments(t, "metric", METRICS, values, not tsne)
    segments(t, "start", STARTS, values, not tsne)
    seeded = tsne and values["start"] == "random"
    st.session_state["seed_in"] = values["seed"]
    st.number_input(t("seed"), 0, 99, disabled=not seeded, help=t("seed_help"), **moved("seed"))
    if not seeded:
        st.html(f"<p class='soft'>{t.html('seed_grey')}</p>")


def snapshots(t: Texts, values: dict) -> None:
    """Under the map: the run, from its start to its end, one snapshot after another or the one that is chosen."""
    off, playing = values["map"] != "tsne", FRAME in st.session_state
    with st.container(key="run", horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(t("pause" if playing else "play"), key="play", on_click=stopped if playing else played, disabled=off)
        st.session_state["snapshot_in"] = values["snapshot"]
        st.select_slider(
            t("snapshot"), [str(n) for n in SNAPSHOTS], disabled=off, help=t("snapshot_help"), key="snapshot_in",
            on_change=stopped,
        )  # fmt: skip


def played() -> None:
    st.session_state[FRAME] = 0


def stopped() -> None:
    """The run rests at what is seen, or where the slider was moved."""
    st.session_state.pop(FRAME, None)
    changed("snapshot")


def play_on() -> None:
    """The next snapshot, when this one has been seen for a while: not a step in the address, until the run rests."""

    @st.fragment(run_every=PACE)
    def tick() -> None:
        if monotonic() - drawn_at < 0.8 * PACE:
            return
        if FRAME in st.session_state:  # or it was stopped meanwhile, and goes on without this clock
            st.session_state[FRAME] += 1
            if SNAPSHOTS[st.session_state[FRAME]] == SNAPSHOTS[-1]:
                del st.session_state[FRAME]
                state.change(snapshot=None)
        st.rerun(scope="app")

    drawn_at = monotonic()
    tick()


def groups_control(page: Page, values: dict) -> None:
    t, ids = page.t, values["groups"].split(",")
    typed = st.session_state.get("own_words") or OWN in ids
    options = [*ready(page.address.model), SENTENCE, *([OWN] if typed else [])]
    with st.popover(t("groups", n=len(ids)), key="groups_box", width=190):
        st.session_state["groups_in"] = ids
        st.pills(
            t("groups_label"), options, selection_mode="multi", format_func=lambda id: ask.plain(name_of(t, id)),
            key="groups_in", on_change=groups_chosen,
        )  # fmt: skip
        st.session_state.setdefault("typed", "")
        if not st.session_state["typed"]:
            names = {id: name_of(t, id) for id in options}
            st.session_state["typed"] = written(chosen_groups(page, values["groups"]), names)
        st.text_area(t("typed"), key="typed", height=170, max_chars=LONGEST_LIST, help=t("typed_help"))
        left, right = st.columns(2)
        left.button(t("use_words"), key="use_words", on_click=words_typed)
        right.button(t("back_to_groups"), key="back_words", type="tertiary", on_click=words_forgotten)


def groups_chosen() -> None:
    ids = st.session_state["groups_in"]
    st.session_state["typed"] = ""
    state.change(groups=",".join(ids) if ids else None)


def words_typed() -> None:
    text = state.without_surrogates(st.session_state["typed"])[:LONGEST_LIST]
    st.session_state["own_words"] = text
    state.change(groups=OWN if text.strip() else None)


def words_forgotten() -> None:
    st.session_state["own_words"] = st.session_state["typed"] = ""
    state.change(groups=None)
