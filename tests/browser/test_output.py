"""Choosing the next word in a real browser: another word, another row, heat, the veil, and drawing again."""

from urllib.parse import parse_qs

import pytest

FRIEND = "我的朋友被老师批评了"


def best(tab) -> str:
    return tab.text(".choosing .list .row .word b")


@pytest.mark.thorough
def test_another_word_of_the_translation_and_another_row_of_the_table(visit):
    tab = visit().open("output", lang="en", text=FRIEND, guess="skip", q=3)
    assert best(tab) == "criticised"
    first = tab.followed
    before = tab.page.evaluate("history.length")
    tab.page.locator(".choosing .list .row").nth(1).click()
    tab.settle()
    assert tab.followed != first and tab.page.locator(".choosing .row.on").count() == 1
    tab.page.keyboard.press("ArrowDown")
    tab.settle()
    on = tab.text(".choosing .row.on .word b")
    assert on in tab.text(".derivation header") and on != best(tab)
    tab.page.locator(".strip .written button", has_text="the").click()
    tab.settle()
    assert best(tab) == "teacher" and "word" not in parse_qs(tab.query)
    assert tab.text(".strip .written .first") == "the"
    assert tab.page.evaluate("history.length") == before
    tab.page.locator(".segments button[data-at=temperature-2]").click()
    tab.settle()
    assert "÷ 2" in tab.text(".derivation") and best(tab) == "teacher"
    tab.page.reload()
    tab.page.wait_for_selector(".choosing .list .row")
    tab.settle()
    assert best(tab) == "teacher" and "÷ 2" in tab.text(".derivation")


@pytest.mark.thorough
def test_the_asked_word_is_veiled_after_layer_one_until_it_is_answered(visit):
    tab = visit().open("output", lang="en", text=FRIEND)
    tab.page.locator(".segments button[data-at=depth-1]").click()
    tab.settle()
    assert (
        tab.page.locator(".choosing .list .row").count() == 1
        and tab.page.locator(".choosing .list button").count() == 0
    )
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert tab.page.locator(".choosing .list .row").count() >= 7


def test_drawing_again_takes_another_number(visit):
    tab = visit().open("output", lang="en", text=FRIEND, guess="skip", section="draw", temperature="2")
    first = tab.page.locator("[data-testid=stMain] table").last.inner_text()
    with tab.answered():
        tab.page.locator(".st-key-again button").click()
    assert tab.page.locator("[data-testid=stMain] table").last.inner_text() != first
    assert parse_qs(tab.query)["seed"] == ["2"]
    for _ in tab.widths():
        assert tab.sideways() <= 0
