"""What stands over the map: which words are on it, and how they are arranged."""

from functools import partial
from typing import Any

import streamlit as st

from core.figures.choices import Choices
from core.figures.controls import Control, Controls, More
from core.views.maps import METHODS, METRICS, STARTS
from core.views.meaning import written
from pages.shared.address import visit
from pages.shared.page.controls import handed, text_box
from pages.shared.page.stage import Stage
from pages.shared.pictures import components
from pages.stages.meaning import typed_words
from pages.stages.meaning.context import PERPLEXITIES, StageContext
from pages.stages.meaning.groups import OWN, SENTENCE, chosen_groups, name_of, ready

LONGEST_LIST = 50_000  # characters of a list of words
LAST_SEED = 99


def controls(context: StageContext) -> None:
    with st.container(key="map_top", horizontal=True, vertical_alignment="center", gap="small"):
        components.controls(key="map_controls", data=arranging(context).data())
        components.choices(key="groups", data=groups(context).data())
    if OWN in context.ids:
        typed(context)


def arranging(context: StageContext) -> Controls:
    """Method and perplexity; what else t-SNE can be told waits behind a word."""
    t, tsne = context.t, context.values["map"] == "tsne"

    def control(name: str, options: tuple[str, ...], usual: Any = None) -> Control:
        named = [(id, t(f"{name}.{id}") if f"{name}.{id}" in t else id) for id in options]
        return Control(name, t(f"{name}_label"), named, usual=usual, first=usual)

    usual = context.page.address.table["perplexity"].default
    perplexity = [control("perplexity", PERPLEXITIES, usual)] if tsne else []
    first = [control("map", METHODS), *([] if context.veiled else perplexity)]  # the question is not about the map
    more = [*(perplexity if context.veiled else []), control("dimensions", ("2", "3"), "2")]
    if tsne:
        more += [control("metric", METRICS, "cosine"), control("start", STARTS, "pca")]
    if tsne and context.values["start"] == "random":
        more.append(Control("seed", t("seed"), number=(0, LAST_SEED), refusal=t("seed_refusal", high=LAST_SEED)))
    return Controls(first, More(t("more"), more))


# ---- which words


def groups(context: StageContext) -> Choices:
    t = context.t
    ids = (*ready(context.model), SENTENCE, OWN)
    return Choices("groups", t("groups"), [(id, name_of(t, id)) for id in ids])


def typed(context: StageContext) -> None:
    """The visitor's own words: a box, at first with what is drawn."""
    t, stage = context.t, context.page.stage
    names = {id: name_of(t, id) for id in (*ready(context.model), SENTENCE, OWN)}
    now = typed_words.text(context, "words") or written(
        chosen_groups(context, [id for id in context.ids if id != OWN]), names
    )
    box = text_box(context, "words", t("typed"), LONGEST_LIST, handed=now, lines=5)
    handed("words", box, partial(words_typed, stage))
    st.button(t("back_to_groups"), key="back_words", type="tertiary", on_click=partial(words_forgotten, stage))


def words_typed(stage: Stage, text: str) -> None:
    text = text[:LONGEST_LIST]
    visit.apply(stage, {"groups": OWN, **typed_words.kept("words", text)} if text.strip() else {"groups": None})


def words_forgotten(stage: Stage) -> None:
    visit.apply(stage, {"groups": None, **typed_words.dropped("words")})
