"""The box that asks: as high when it asks as when it is answered, and no higher than it needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.questions import Choice
from pages.shared.page.predict import AFTER, LINE, facts_of, in_lines, lines_of, width
from pages.shared.words.texts import Texts

TEXTS = st.text(st.sampled_from("aeiou nrst,.0123字词的"), max_size=220)


@given(
    st.sampled_from(["zh", "en"]),
    TEXTS,
    TEXTS,
    st.lists(TEXTS.map(lambda text: text[:20]), min_size=2, max_size=4),
    st.sampled_from([0, AFTER]),
)
def test_the_box_holds_the_question_and_its_answer(
    lang: str, question: str, answer: str, said: list[str], behind: int
) -> None:
    t = Texts(lang)
    offered = [(Choice(text), text) for text in said]
    lines, beside = lines_of(t, question, answer, offered, behind)
    assert lines == lines_of(t, question, answer, offered)[0]  # as high, whatever stands behind the answer
    asked, given = width(t("predict_title") + question), width(t("predict_right") + answer)
    assert lines >= max(in_lines(asked), in_lines(given))
    if beside:  # each has a line of its own, and what stands behind an answer fits into one of them
        assert lines >= 2 and max(asked, given) <= LINE
        assert {"question": asked, "answer": given}[beside] + behind <= LINE
    else:
        assert lines >= in_lines(given + AFTER)
        assert max(asked, given, min(asked, given) + behind) > LINE  # else the question would be kept


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("slug", ["overview", "embedding", "heads", "encoder", "size"])
def test_an_answered_page_still_says_what_was_asked(opened, lang: str, slug: str) -> None:
    page = opened(slug, lang, guess="skip")
    assert page.html.count("<div class='asked'") == page.html.count("class='answer'") == 1


@pytest.mark.parametrize(
    ("lang", "text"), [("zh", ""), ("zh", "北京大学生前来应聘"), ("en", ""), ("en", "thecatsatonthemat")]
)
def test_these_words_are_named_once_they_stand_there_no_more(looked, lang: str, text: str) -> None:
    sample = {"sample": text} if text else {}
    for ask in range(4):
        context = looked("segmentation", lang, guess="skip", ask=ask, **sample)
        question = context.question
        if question is not None and question.template == "stays":
            said = context.t("predict.stays.question", **facts_of(context))
            assert all(choice.token in said for choice in question.choices)
