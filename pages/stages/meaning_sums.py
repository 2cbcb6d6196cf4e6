"""Words added and taken away: what a sum of three rows comes nearest to, with its own words and without them."""

import html

import streamlit as st

from core.views.meaning import Neighbour, analogy
from pages.shared import ask, state
from pages.shared.numbers import short
from pages.shared.page import Page, paragraphs
from pages.shared.state import Parameter, Repair, choice
from pages.shared.texts import Texts
from pages.stages.meaning_words import LONGEST_WORD, a_word, space_of

TERMS = ("a", "minus", "plus")
ANALOGIES = {
    "minilm": (("king", "man", "woman"), ("walking", "walk", "swim"), ("paris", "france", "italy")),
    "translator": (("books", "book", "apple"), ("bigger", "big", "small"), ("walking", "walk", "swim")),
}


def parameters(page: Page) -> dict[str, Parameter]:
    first = dict(zip(TERMS, ANALOGIES[page.address.model][0], strict=True))
    words = {name: a_word(page, word) for name, word in first.items()}
    return {**words, "remove": choice("1", default=None)}


@st.fragment
def sums(page: Page) -> None:
    t, space, values = page.t, space_of(page), state.Address().read(parameters(page))
    st.html(f"<h2 class='part'>{t.html('sum_title')}</h2>")
    with st.container(key="sum", horizontal=True, vertical_alignment="bottom", gap="small"):
        for name in TERMS:
            st.session_state[f"{name}_in"] = values[name]
            st.text_input(
                t(f"sum_{name}"), key=f"{name}_in", max_chars=LONGEST_WORD, width=120, on_change=term, args=(page, name)
            )
        st.session_state["remove_in"] = values["remove"] == "1"
        st.toggle(t("remove"), key="remove_in", on_change=removed)
        for number, words in enumerate(ANALOGIES[page.address.model]):
            label = ask.plain("{} − {} + {}".format(*words))
            st.button(label, key=f"sum_{number}", type="tertiary", on_click=set_sum, args=words)
    if refused := page.refusal():
        st.html(f"<p class='note'>{html.escape(refused)}</p>")
    a, minus, plus = (space.word(values[name]) for name in TERMS)
    assert a and minus and plus
    rows = analogy(space, a, minus, plus, remove=False)
    without = analogy(space, a, minus, plus, remove=True)
    kept, query = without if values["remove"] else rows, (*a.ids, *minus.ids, *plus.ids)
    cells = "".join(
        f"<tr{' class=query' if row.id in query else ''}>"
        f"<td>{html.escape(row.piece)}</td><td>{short(row.cosine)}</td></tr>"
        for row in kept
    )
    left, right = st.columns([1, 2], gap="large")
    left.html(f"<table class='shapes'>{cells}</table>")
    with right:
        paragraphs(said_of_sum(t, values, rows[0], without[0], own=rows[0].id in query))


def said_of_sum(t: Texts, values: dict, first: Neighbour, fresh: Neighbour, own: bool) -> list[str]:
    """What came first, whether it was put in, and what comes first of the rest."""
    facts = {"a": values["a"], "minus": values["minus"], "plus": values["plus"], "first": first.piece}
    facts |= {"cosine": first.cosine, "fresh": fresh.piece, "fresh_cosine": fresh.cosine, "left": fresh.piece}
    said = [t.html("sum_own" if own else "sum_fresh", **facts)]
    said.append(t.html("sum_removed" if values["remove"] else "sum_kept", **facts))
    return said


def term(page: Page, name: str) -> None:
    text = st.session_state[f"{name}_in"].strip()
    if space_of(page).word(text):
        state.change(**{name: text})
    else:
        st.session_state["_refused"] = Repair("unknown_word", {"word": text or "∅"})


def removed() -> None:
    state.change(remove="1" if st.session_state["remove_in"] else None)


def set_sum(a: str, minus: str, plus: str) -> None:
    state.change(a=a, minus=minus, plus=plus)
