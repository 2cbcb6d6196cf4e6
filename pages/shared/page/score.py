"""How many questions of this visit were answered, and how many rightly. It lives with the visit's session and ends with
it: nothing is written down, nothing is sent anywhere. What was asked is kept as a number, so that it counts once."""

from collections.abc import Callable

import streamlit as st

from pages.shared.page.stage import StageContext

SCORE = "score"


def key_of(context: StageContext) -> int:
    """Which question this is: its number, of this stage, sentence and model."""
    address = context.page.address
    return hash(
        (context.page.slug, *context.key, address.values.get("ask", 0), context.question and context.question.template)
    )


def count_answer(key: int, right: bool, press: Callable[[], None]) -> None:
    """What an answer does: its first time it counts."""
    st.session_state.setdefault(SCORE, {}).setdefault(key, right)
    press()


def so_far() -> tuple[int, int]:
    """Right, of all."""
    answers = st.session_state.get(SCORE, {})
    return sum(answers.values()), len(answers)
