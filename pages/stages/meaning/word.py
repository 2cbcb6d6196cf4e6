"""The chosen word: a box to type another, and the rows that lie near to it in the space."""

import html

import streamlit as st

from core.derivation import Measure, Weight
from core.derivation.flow import TABLE
from core.figures.near import Near, NearWords, Row
from core.views.meaning import Word
from core.views.vectors import cosine
from pages.shared.address import visit
from pages.shared.number.number_links import number
from pages.shared.page.controls import controls, text_box
from pages.shared.pictures import components
from pages.shared.words.numbers import Html, in_prose
from pages.stages.meaning.context import HIDDEN, LONGEST_WORD, StageContext, row_name
from pages.stages.meaning.groups import name_of, ready

ROWS = 7


def the_word(context: StageContext) -> None:
    controls("of", text_box(context, "of", context.t("of"), LONGEST_WORD, shown=context.of, also={"to": None}))
    if context.hidden:
        return
    off_map(context)
    components.near(key="near", data=compared(context).data())
    if context.word.averaged:
        st.html(f"<p class='soft'>{own_pieces(context)}</p>")


def off_map(context: StageContext) -> None:
    """A word that is not on the map, and the ready group that would bring it there."""
    if any(context.word.ids == each.ids for each in context.words.words):
        return
    group = next((id for id, group in ready(context.model).items() if context.of in group.words), None)
    with st.container(key="off_map", horizontal=True, gap="small"):
        st.html(f"<span class='soft'>{context.t.html('not_on_map', word=context.of)}</span>", width="content")
        if group:
            press = visit.on_press(context, groups=f"{context.values['groups']},{group}")
            label = context.t("put_on_map", group=name_of(context.t, group))
            st.button(label, key="put_on_map", type="tertiary", on_click=press)


def compared(context: StageContext) -> Near:
    """The nearest rows of the whole vocabulary, the words the question spoke of, and what is compared."""
    t, vocab = context.t, f"{len(context.view.norms):,}"
    key = "nearest" if not context.veiled else "nearest_open" if asked_about(context) else "nearest_beside"
    words = NearWords(t(key, word=context.of, vocab=vocab), t("cosine_none"), t("cosine_same"), HIDDEN)
    return Near("to", context.to, rows(context), words)


def rows(context: StageContext) -> list[Row]:
    """What is asked about, what is compared, and as many of the nearest as there is room for."""
    found = {name: Row(name, name, cosine) for name, cosine in asked_about(context).items()}
    if context.to not in found:
        found[context.to] = Row(context.to, context.to, to_word(context, context.other))
    for row in context.near:
        if len(found) < ROWS:
            found.setdefault(row.piece, Row(row.piece, row.piece, row.cosine))
    return list(found.values())


def asked_about(context: StageContext) -> dict[str, float | None]:
    """The words that the question compares this one with, and their cosines; none while it is open."""
    about = context.words_asked
    if about is None or context.of != about.word:
        return {}
    words = {row_name(context.view, text): context.view.word(text) for text in about.others}
    return {name: None if context.veiled else to_word(context, word) for name, word in words.items()}


def to_word(context: StageContext, other: Word | None) -> float:
    assert other, "the question's words can be spelled"
    return float(cosine(context.word.vector, other.vector))


def own_pieces(context: StageContext) -> str:
    """What a word is the mean of: its own rows, which are not among its neighbours."""
    word, cosines = context.word, context.view.cosines(context.word.vector)
    rows = tuple(Weight(TABLE, (id, None)) for id in word.ids)

    def own(row: Weight, piece: str) -> str:
        id = int(row.index[0] or 0)
        cosine = number(context, float(cosines[id]), Measure("pooled", (*rows, row), (len(rows), 1)))
        return f"{html.escape(piece)} {in_prose(cosine)}"

    listed = context.t("comma").join(map(own, rows, word.pieces))
    return context.t.html("is_averaged", word=context.of, pieces=" + ".join(word.pieces), own=Html(listed))
