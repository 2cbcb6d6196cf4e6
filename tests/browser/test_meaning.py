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
    tab.page.wait_for_url("**to=whitish")
    tab.settle()
    followed = tab.followed
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert tab.followed == followed and "whitish" in tab.text(".derivation .where")


def test_a_click_in_the_strip_follows_the_word_and_keeps_what_was_set(tab):
    tab.page.locator(".st-key-map_controls button", has_text="PCA").click()
    tab.page.wait_for_url("**map=pca*")
    tab.settle()
    tab.page.locator(".strip button", has_text="mat").click()
    tab.page.wait_for_url("**of=mat*")
    tab.settle()
    assert parse_qs(tab.query)["map"] == ["pca"] and "mat and" in tab.text(".derivation .where")
    assert tab.page.locator(".strip .first").all_inner_texts() == ["mat"]


def test_a_click_on_a_solid_map_follows_the_word(visit):
    """Where a point lies on the screen only WebGL knows: the click is told as Plotly tells it."""
    tab = visit().open("meaning", lang="en", guess="skip", dimensions="3")
    tab.page.wait_for_function(
        "document.querySelector('.st-key-map_3 .js-plotly-plot')?._ev?.listenerCount('plotly_click')"
    )
    tell = "plot => plot.emit('plotly_click', {points: [{customdata: 'qu&#101;en'}]})"  # escaped, as the figure has it
    tab.page.locator(".st-key-map_3 .js-plotly-plot").evaluate(tell)
    tab.page.wait_for_url("**of=queen*")
    tab.settle()
    assert "queen and" in tab.text(".derivation .where")


def test_typed_words_outlive_another_theme(tab):
    """Which is a reload: a new session."""
    tab.page.locator(".st-key-groups_box button").first.click()
    box = tab.page.locator("textarea").first
    box.fill("pets: cat dog\ncolours: red green")
    box.press("Control+Enter")
    tab.page.locator(".st-key-use_words button").click()
    tab.page.wait_for_url("**words=pets*")
    tab.settle()
    tab.page.keyboard.press("Escape")
    with tab.page.expect_event("load"):
        tab.page.locator(".st-key-switch-dark button").click()
    points = tab.page.locator(f".st-key-map_2 {POINTS}")
    points.first.wait_for()
    tab.settle()
    assert points.count() == 4 and parse_qs(tab.query)["theme"] == ["dark"]


def test_the_run_is_played_to_its_end(tab):
    before = tab.page.evaluate("history.length")
    tab.page.locator(".st-key-play button").click()
    slider = tab.page.locator(".st-key-run [data-testid=stSliderThumbValue]")
    for iteration in ("0", "250", "300", "400", "600", "1000"):
        slider.get_by_text(iteration, exact=True).wait_for()
    tab.page.get_by_text("play it through").wait_for()
    assert "snapshot" not in parse_qs(tab.query) and tab.page.evaluate("history.length") == before


@pytest.mark.parametrize("word", ["奥利给", "😀", "x" * 60])
def test_a_word_that_cannot_be_spelled_changes_nothing(tab, word):
    tab.page.locator(".st-key-of_in input").fill(word)
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector(".note:not(.none)")
    tab.settle()
    assert word[:40] in tab.notes and "of" not in parse_qs(tab.query)
    assert "white and black" in tab.text(".derivation .where")


def test_a_phone(visit):
    tab = visit(locale="zh-CN", width=390, height=844).open("meaning", lang="zh", guess="skip")
    assert tab.sideways() == 0
