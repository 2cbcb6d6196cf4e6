"""A text that goes on in a real browser: press, stop, a step, a token that was written, and a number of it."""

import time
from urllib.parse import parse_qs

import pytest

MOON = "床前明月光"


def count(tab) -> int:
    return tab.page.locator(".written button.token").count()


@pytest.mark.thorough
def test_it_goes_on_until_it_is_stopped_and_each_token_opens(visit):
    tab = visit().open("generation", lang="zh", text=MOON)
    assert count(tab) == 1 and tab.text(".written .veiled") == "?"
    before = tab.page.evaluate("history.length")
    tab.page.click(".written .go")
    end = time.time() + 60
    while count(tab) < 4 and time.time() < end:
        time.sleep(0.05)
    tab.page.click(".written .go")
    tab.settle()
    asked = parse_qs(tab.query)
    stopped = count(tab)
    assert stopped >= 4 and int(asked["n"][0]) == stopped and asked["guess"] == ["skip"] and int(asked["q"][0]) >= 0
    time.sleep(1)
    assert count(tab) == stopped, "it goes on though it was stopped"
    tab.page.locator(".written button.token").first.click()
    tab.settle()
    first = tab.followed
    tab.page.keyboard.press("ArrowRight")
    tab.settle()
    assert tab.followed != first and tab.page.locator(".written .token.on").count() == 1
    assert tab.page.evaluate("document.activeElement.shadowRoot.activeElement.dataset.at") == "q-1"
    tab.page.click(".written .step")
    tab.settle()
    assert count(tab) == stopped + 1 and parse_qs(tab.query)["q"] == [str(stopped)]
    assert tab.page.evaluate("history.length") == before
    tab.page.reload()
    tab.settle()
    tab.page.wait_for_selector(".written button.token")
    assert count(tab) == stopped + 1
    tab.check()


def test_a_probability_and_a_weight_are_followed(visit):
    tab = visit().open("generation", lang="en", text=MOON, guess="skip", n=4, q=2)
    numbers = tab.page.locator(".written .about button[data-trail]")
    for which, word in ((numbers.nth(1), "output.probabilities"), (numbers.last, "attention.weights")):
        value = which.inner_text()
        which.click()
        tab.settle()
        assert word in parse_qs(tab.query)["trail"][0] and tab.text(".derivation header b") == value
    tab.page.click(".written .again")
    tab.settle()
    assert count(tab) == 0 and "trail" not in parse_qs(tab.query)
    tab.check()


@pytest.mark.thorough
def test_it_fits_a_phone(visit):
    tab = visit(width=390, height=844).open("generation", lang="zh", text=MOON, guess="skip", n=6, section="cache")
    assert tab.sideways() == 0
    tab.check()


def test_what_is_written_stands_behind_the_sentence_across_the_top(visit):
    tab = visit().open("generation", lang="en", text=MOON, guess="skip", n=2, q=0)
    made = tab.page.locator(".strip .made")
    assert made.count() == 2 and tab.page.locator(".strip .made.first").count() == 1
    made.nth(1).click()
    tab.settle()
    assert parse_qs(tab.query)["q"] == ["1"] and "first" in made.nth(1).get_attribute("class")
    assert tab.page.locator(".written .way path").count() == 2  # the way from its segment, and the arrow's head
    tab.page.click(".written .again")
    tab.settle()
    assert made.count() == 0 and tab.page.locator(".written .way path").count() == 0
    tab.check()


@pytest.mark.parametrize("temperature", ["0.8", "1"])
def test_the_way_to_the_token_begins_at_the_mark(visit, temperature):
    """On the line that was drawn on, whether others stand above it or not."""
    tab = visit().open("generation", lang="zh", text=MOON, guess="skip", n=3, q=1, temperature=temperature, topk="20")
    x, y = tab.page.locator(".written .way path").first.evaluate(
        "path => { const {x, y} = path.getPointAtLength(0).matrixTransform(path.getScreenCTM()); return [x, y]; }"
    )
    mark, line = (tab.page.locator(f".written .{name}").bounding_box() for name in ("point", "shares.last"))
    assert mark and line and abs(x - mark["x"] - mark["width"] / 2) < 1.5 and line["y"] - 12 < y <= line["y"]


def test_where_the_model_looked_is_shaded_when_it_is_asked_for(visit):
    tab = visit().open("generation", lang="zh", text=MOON, guess="skip", n=2)
    shaded = tab.page.locator(".written .token.looked")
    assert shaded.count() == 0
    for some in (True, False):
        tab.page.click(".written .shade")
        tab.settle()
        assert bool(shaded.count()) == some
    tab.check()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_to_notice_keeps_its_link_when_it_is_said_anew(visit, lang):
    tab = visit().open("generation", lang=lang, guess="skip", n=2, q=1)
    door = tab.page.locator(".place.noticed a")
    assert door.count() == 1 and door.get_attribute("href").split("?")[0].endswith("/circuits")
    first = door.get_attribute("href")
    tab.page.locator(".written button.token").first.click()
    tab.settle()
    assert door.count() == 1 and door.get_attribute("href") != first, "another token, another way"
    door.click()
    tab.settle()
    assert tab.page.url.split("?")[0].endswith("/circuits") and parse_qs(tab.query)["lang"] == [lang]
    tab.check()


def test_every_line_begins_at_the_edge(visit):
    tab = visit(width=390, height=844).open("generation", lang="en")
    tokens = [box for one in tab.page.locator(".written .token").all() if (box := one.bounding_box())]
    lines: dict[int, float] = {}
    for box in tokens:
        middle = round((box["y"] + box["height"] / 2) / 8)
        lines[middle] = min(lines.get(middle, 1e9), box["x"])
    assert len(lines) > 1 and max(lines.values()) - min(lines.values()) < 1
