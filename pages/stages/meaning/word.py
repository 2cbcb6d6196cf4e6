"""The chosen word: a box to type another, and a ruler with the rows that lie near to it in the space."""

import html
from functools import partial

import streamlit as st

from core.derivation import Measure, Weight
from core.derivation.flow import TABLE
from core.figures.near import Near, NearWords, Row
from core.views.meaning import Word
from core.views.vectors import cosine
from pages.shared.address import visit
from pages.shared.address.address import Repair
from pages.shared.number.number_links import number
from pages.shared.page import parts
from pages.shared.page.stage import Stage
from pages.shared.pictures import components
from pages.shared.words.numbers import Html, written
from pages.stages.meaning.groups import name_of, ready
from pages.stages.meaning.look import LONGEST_WORD, Look, known, space_of

SHOWN = 5  # neighbours on the ruler


def the_word(look: Look) -> None:
    to = partial(choose, look.page.stage, look.model)
    st.text_input(look.t("of"), max_chars=LONGEST_WORD, **visit.controlled("of_in", look.of, to))
    parts.refusal(look)
    if look.hidden:
        return
    off_map(look)
    components.near(key="near", data=ruler(look).data())
    if look.word.averaged:
        st.html(f"<p class='soft'>{own_pieces(look)}</p>")


def choose(stage: Stage, model: str, text: str | None) -> None:
    """This word is followed from here on."""
    text = (text or "").strip()
    if known(space_of(model), text):
        visit.apply(stage, {"of": text, "to": None})
    else:
        visit.refuse(Repair("unknown_word", {"word": text[:LONGEST_WORD] or "∅"}))


def off_map(look: Look) -> None:
    """A word that is not on the map, and the ready group that would bring it there."""
    if any(look.word.ids == each.ids for each in look.words.words):
        return
    group = next((id for id, group in ready(look.model).items() if look.of in group.words), None)
    with st.container(key="off_map", horizontal=True, gap="small"):
        st.html(f"<span class='soft'>{look.t.html('not_on_map', word=look.of)}</span>", width="content")
        if group:
            press = visit.on_press(look, groups=f"{look.values['groups']},{group}")
            label = look.t("put_on_map", group=name_of(look.t, group))
            st.button(label, key="put_on_map", type="tertiary", on_click=press)


def ruler(look: Look) -> Near:
    """The nearest rows of the whole vocabulary, the words the question spoke of, and what is compared."""
    t, vocab = look.t, f"{len(look.view.norms):,}"
    words = NearWords(t("nearest", word=look.of, vocab=vocab), t("cosine_none"), t("cosine_same"))
    return Near("to", look.to, rows(look), words)


def rows(look: Look) -> list[Row]:
    asked, others, _ = look.words_asked or ("", (), "")
    found = {
        row.piece: Row(row.piece, row.piece, row.cosine) for row in look.near[:SHOWN] if row.piece not in look.veil
    }
    if look.of == asked:  # which is veiled while the question is open
        found |= {text: Row(text, text, to_word(look, look.view.word(text)), asked=True) for text in others}
    if look.to not in found:
        found[look.to] = Row(look.to, look.to, to_word(look, look.other))
    return list(found.values())


def to_word(look: Look, other: Word | None) -> float:
    assert other, "the question's words can be spelled"
    return float(cosine(look.word.vector, other.vector))


def own_pieces(look: Look) -> str:
    """What a word is the mean of: its own rows, which are not among its neighbours."""
    word, cosines = look.word, look.view.cosines(look.word.vector)
    rows = tuple(Weight(TABLE, (id, None)) for id in word.ids)

    def own(row: Weight, piece: str) -> str:
        id = int(row.index[0] or 0)
        cosine = number(look, float(cosines[id]), Measure("pooled", (*rows, row), (len(rows), 1)))
        return f"{html.escape(piece)} {written(cosine)}"

    listed = look.t("comma").join(map(own, rows, word.pieces))
    return look.t.html("is_averaged", word=look.of, pieces=" + ".join(word.pieces), own=Html(listed))
