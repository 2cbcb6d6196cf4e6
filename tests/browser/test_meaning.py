"""The meaning lab in a real Chromium: a word clicked on the map, its nearest, history, a phone."""

from urllib.parse import parse_qs

import pytest

POINTS = ".js-plotly-plot .scatterlayer .points path.point"


@pytest.fixture
def tab(visit):
    return visit().open("meaning", lang="en", guess="skip")


def test_a_click_on_the_map_follows_the_word(tab):
    point = tab.page.locator(POINTS).nth(30)
    point.wait_for()
    box = point.bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.wait_for_url("**of=*")
    tab.settle()
    word = parse_qs(tab.query)["of"][0]
    assert word in tab.text(".derivation .where") and tab.page.locator(".st-key-of_in input").input_value() == word


def test_a_neighbour_is_compared_and_a_reload_keeps_it(tab):
    tab.page.locator(".st-key-to_in button").nth(3).click()
    tab.page.wait_for_url("**to=better")
    tab.settle()
    followed = tab.followed
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert tab.followed == followed and "better" in tab.text(".derivation .where")


@pytest.mark.parametrize("word", ["奥利给", "😀", "x" * 60])
def test_a_word_that_cannot_be_spelled_changes_nothing(tab, word):
    tab.page.locator(".st-key-of_in input").fill(word)
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector(".note")
    tab.settle()
    assert word[:40] in tab.notes and "of" not in parse_qs(tab.query)
    assert "good and bad" in tab.text(".derivation .where")


def test_a_phone(visit):
    tab = visit(locale="zh-CN", width=390, height=844).open("meaning", lang="zh", guess="skip")
    assert tab.sideways() == 0
