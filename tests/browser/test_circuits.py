"""Who wrote this token, in a real browser: a row and a cell of the sum, the veil, a map that is waited for, and a press
on a weight of the text written twice."""

from urllib.parse import parse_qs

import pytest

CAPITAL = "The capital of France is"
MOON = "床前明月光，疑是地上"


def on(tab) -> str:
    return tab.text(".shares .row.on .name")


def test_a_row_and_a_cell_select_the_same_part(visit):
    tab = visit().open("circuits", lang="en", text=CAPITAL, guess="skip")
    assert on(tab) == "layer 24, head 5"
    first, before = tab.followed, tab.page.evaluate("history.length")
    tab.page.locator(".shares .row:not(.head)").first.click()
    tab.settle()
    assert on(tab) == "layer 30, feed-forward" and tab.followed != first
    assert parse_qs(tab.query)["layer"] == ["30"] and parse_qs(tab.query)["part"] == ["9"]
    tab.page.keyboard.press("ArrowDown")
    tab.settle()
    assert on(tab) == "layer 29, feed-forward" and "layer 29" in tab.text(".derivation header")
    tab.page.locator(".shares .row.total").click()
    tab.settle()
    assert "sum: the logit" in tab.text(".derivation header") and "301" in tab.text(".derivation")
    assert tab.page.evaluate("history.length") == before
    assert tab.text(".matrix .title .range").split() == ["−6.976", "6.976"], "colours go to the largest part"
    tab.page.locator("[class*=matrix] canvas.marks, .matrix canvas.marks").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert "layer 2, head 1" in tab.text(".derivation header")
    for _ in tab.widths():
        assert tab.sideways() <= 0


def test_against_a_second_word_others_come_first(visit):
    tab = visit().open("circuits", lang="en", text=CAPITAL, guess="skip")
    tab.page.locator(".controls .more").first.click()
    tab.page.locator(".segments button[data-at=against-London]").click()
    tab.settle()
    assert tab.text(".shares .row:not(.head) .name") == "layer 24, head 5" == on(tab)
    assert tab.text(".shares .row.total .name") == "sum: the difference" and "London" in tab.text(".derivation header")


@pytest.mark.thorough
def test_nothing_is_seen_while_the_question_is_open(visit):
    tab = visit().open("circuits", lang="zh", text=MOON)
    tab.page.locator(".shares .row:not(.head)").first.click()
    tab.settle()
    assert on(tab) == "嵌入" and "layer" not in parse_qs(tab.query)  # which the question does not ask about
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert tab.page.locator(".shares .row.on").count() == 1


@pytest.mark.thorough
def test_a_map_is_computed_and_followed(visit):
    other = "The opposite of big is"
    query = {"lang": "en", "text": "The opposite of hot is", "guess": "skip", "section": "patching", "other": other}
    tab = visit().open("circuits", **query)
    tab.page.wait_for_selector("text=swapped after layer", timeout=120_000)
    tab.settle()
    panels = tab.page.locator(".derivation header")
    before = panels.last.inner_text()
    tab.page.locator("canvas.marks").last.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert panels.last.inner_text() != before and parse_qs(tab.query)["moved_layer"] == ["16"]


@pytest.mark.thorough
def test_a_weight_of_the_text_written_twice_is_followed(visit):
    tab = visit().open("circuits", lang="en", text=CAPITAL, guess="skip", section="induction")
    marks = tab.page.locator("canvas.marks").last
    marks.scroll_into_view_if_needed()
    box = marks.bounding_box()
    assert box
    marks.click(position={"x": box["width"] * 0.5, "y": box["height"] * 0.75})
    tab.settle()
    assert "decoder.18.attention.weights.6." in parse_qs(tab.query)["trail"][0]
    assert f"“{CAPITAL} {CAPITAL}”" in tab.text(".derivation header")
