"""What stands over the map: which words are on it, and how they are arranged."""

from collections.abc import Sequence
from functools import partial
from zlib import crc32

import streamlit as st

from core.views.maps import METHODS, METRICS, STARTS
from core.views.meaning import written
from pages.shared import visit
from pages.shared.predict import plain
from pages.shared.stage import Stage
from pages.shared.visit import bind
from pages.stages.meaning import own
from pages.stages.meaning.groups import OWN, SENTENCE, chosen_groups, name_of, ready
from pages.stages.meaning.look import PERPLEXITIES, Look

LONGEST_LIST = 50_000  # characters of a list of words


def controls(look: Look) -> None:
    t, tsne = look.t, look.values["map"] == "tsne"
    with st.container(key="map_controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        groups_control(look)
        segments(look, "map", METHODS)
        label, said = t("perplexity"), t("perplexity_help")
        st.select_slider(label, PERPLEXITIES, disabled=not tsne, width=210, help=said, **bind(look, "perplexity"))
        with st.popover(t("more"), key="more"):
            more_controls(look, tsne)


def segments(look: Look, name: str, options: Sequence[str], disabled: bool = False) -> None:
    st.segmented_control(
        look.t(f"{name}_label"),
        options,
        format_func=lambda id: look.t(f"{name}.{id}"),
        required=True,
        disabled=disabled,
        **bind(look, name),
    )


def more_controls(look: Look, tsne: bool) -> None:
    t = look.t
    segments(look, "dimensions", ("2", "3"))
    segments(look, "metric", METRICS, not tsne)
    segments(look, "start", STARTS, not tsne)
    seeded = tsne and look.values["start"] == "random"
    st.number_input(t("seed"), 0, 99, disabled=not seeded, help=t("seed_help"), **bind(look, "seed"))
    if not seeded:
        st.html(f"<p class='soft'>{t.html('seed_grey')}</p>")


# ---- which words


def groups_control(look: Look) -> None:
    t, ids, stage = look.t, look.ids, look.page.stage
    typed = [OWN] if OWN in ids or own.text(look, "words") else []
    names = {id: name_of(t, id) for id in (*ready(look.model), SENTENCE, *typed)}
    with st.popover(t("groups", n=len(ids)), key="groups_box", width=190):
        st.pills(
            t("groups_label"),
            list(names),
            selection_mode="multi",
            format_func=lambda id: plain(names[id]),
            **visit.hand("groups_in", ids, partial(groups_chosen, stage)),
        )
        now = written(chosen_groups(look, ids), names)
        key = f"meaning.typed_{crc32(now.encode())}"  # a box in a closed popover would keep its old text
        st.text_area(t("typed"), now, key=key, height=170, max_chars=LONGEST_LIST, help=t("typed_help"))
        left, right = st.columns(2)
        use = partial(visit.handed, key, partial(words_typed, stage))
        left.button(t("use_words"), key="use_words", on_click=use)
        back = partial(words_forgotten, stage, key, now)
        right.button(t("back_to_groups"), key="back_words", type="tertiary", on_click=back)


def groups_chosen(stage: Stage, ids: Sequence[str]) -> None:
    visit.apply(stage, {"groups": ",".join(ids) or None})


def words_typed(stage: Stage, text: str) -> None:
    text = text[:LONGEST_LIST]
    visit.apply(stage, {"groups": OWN, **own.kept("words", text)} if text.strip() else {"groups": None})


def words_forgotten(stage: Stage, key: str, before: str) -> None:
    st.session_state[key] = before
    visit.apply(stage, {"groups": None, **own.dropped("words")})
