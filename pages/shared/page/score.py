"""How many questions of this visit were answered, and how many rightly. It lives with the visit's session and ends with
it: nothing is written down, nothing is sent anywhere. What was asked is kept as a number, so that it counts once."""

from collections.abc import Callable

import streamlit as st

from pages.shared.page.stage import Look

SCORE = "score"


def key_of(look: Look) -> int:
    """Which question this is: its number, of this stage, sentence and model."""
    address = look.page.address
    return hash((look.page.slug, *look.key, address.values.get("ask", 0), look.question and look.question.template))


def count_answer(key: int, right: bool, press: Callable[[], None]) -> None:
    """What an answer does: its first time it counts."""
    st.session_state.setdefault(SCORE, {}).setdefault(key, right)
    press()


def so_far() -> tuple[int, int]:
    """Right, of all."""
    answers = st.session_state.get(SCORE, {})
    return sum(answers.values()), len(answers)
