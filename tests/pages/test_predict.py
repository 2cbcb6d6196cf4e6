"""The box that asks: as high when it asks as when it is answered, and no higher than it needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.questions import Choice
from pages.shared.page.predict import AFTER, LINE, in_lines, lines_of, width
from pages.shared.words.texts import Texts

TEXTS = st.text(st.sampled_from("aeiou nrst,.0123字词的"), max_size=220)


@given(st.sampled_from(["zh", "en"]), TEXTS, TEXTS, st.lists(TEXTS.map(lambda text: text[:20]), min_size=2, max_size=4))
def test_the_box_holds_the_question_and_its_answer(lang: str, question: str, answer: str, said: list[str]) -> None:
    t = Texts(lang)
    lines, both = lines_of(t, question, answer, [(Choice(text), text) for text in said])
    asked, given = width(t("predict_title") + question), width(t("predict_right") + answer)
    assert lines >= max(in_lines(asked), in_lines(given))
    if both:  # each has a line of its own, and what stands behind an answer fits into the question's
        assert lines >= 2 and asked + AFTER <= LINE and given <= LINE
    else:
        assert lines >= in_lines(given + AFTER)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("slug", ["overview", "embedding", "heads", "encoder", "size"])
def test_an_answered_page_still_says_what_was_asked(opened, lang: str, slug: str) -> None:
    page = opened(slug, lang, guess="skip")
    assert page.html.count("<div class='asked'") == page.html.count("class='answer'") == 1
