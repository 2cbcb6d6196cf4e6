"""What a visitor typed that may be longer than an address: word lists, sentences.

It is kept for the visit, and in the address as long as it fits there: so a reload (light or dark is one) keeps it, and
a link carries it.
"""

from urllib.parse import quote_plus

import streamlit as st

from pages.shared.address import address, visit
from pages.shared.address.address import Parameter
from pages.shared.page.stage import Stage, StageContext

FITS = 4000  # characters of an address, where a Chinese one counts as nine


def parameter() -> Parameter:
    return address.words(FITS, None)


def text(context: StageContext, name: str, otherwise: str = "") -> str:
    """What was typed for the parameter `name`. The address wins."""
    given = context.values[name]
    if given is not None:
        st.session_state[key(name)] = given
    return st.session_state.get(key(name), otherwise)


def kept(name: str, text: str) -> dict[str, object]:
    """The patch that keeps a text, here and in the address."""
    st.session_state[key(name)] = text
    return {name: text if len(quote_plus(text)) <= FITS else None}


def dropped(name: str) -> dict[str, object]:
    """The patch that forgets it."""
    st.session_state.pop(key(name), None)
    return {name: None}


def take(stage: Stage, name: str, text: str) -> None:
    """What a widget hands over."""
    visit.apply(stage, kept(name, text))


def key(name: str) -> str:
    return f"meaning.{name}"
