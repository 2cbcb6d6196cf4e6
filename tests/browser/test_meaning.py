"""The meaning lab in a real Chromium: a word clicked on the map, its nearest, history, a phone."""

from urllib.parse import parse_qs

import pytest

from tests.browser import access
from tests.profiles import some


@pytest.fixture
def tab(visit):
    return visit().open("meaning", lang="en", guess="skip")


POINTS = ".cloud .point"


def pressed(tab, point) -> None:
    box = point.bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_on_the_map_follows_the_word_and_joins_it_to_its_nearest_there(tab):
    tab.page.locator(".cloud").scroll_into_view_if_needed()
    pressed(tab, tab.page.locator(POINTS).nth(30))
    tab.page.wait_for_url("**of=*")
    word = parse_qs(tab.query)["of"][0]
    assert tab.page.locator(".cloud text.chosen").text_content().split(" · ")[0] == word  # it is marked already
    assert tab.page.locator(".cloud line.compared").count() == 1
    tab.settle()
    assert tab.page.locator(".st-key-of_controls input").input_value() == word
    compared_is_seen(tab, word)


def compared_is_seen(tab, word: str) -> None:
    """The word, what it is compared with, and the cosine that is followed, rounded, are named on the map."""
    named = " ".join(tab.page.locator(".cloud :is(text.chosen, text.neighbour)").all_text_contents()).split()
    value = float(tab.text(".derivation h2").split()[-1].replace("−", "-"))
    words = tab.text(".derivation .where").split(":")[0].split(" and ")
    assert words[0] == word and {*words} < {*named} and f"{value:.2f}" in named


@pytest.mark.parametrize("opened", [{}, {"of": "king", "to": "january"}, {"of": "joy", "map": "pca"}])
def test_what_is_compared_is_seen_on_the_map(visit, opened):
    tab = visit().open("meaning", lang="en", **opened)
    compared_is_seen(tab, opened.get("of", "winter"))
    assert tab.page.locator(".cloud line.compared").count() == 1


def test_the_word_asked_about_is_named_and_those_to_choose_from_are_covered(visit):
    tab = visit().open("meaning", lang="en", guess="open", of="king")
    cloud = tab.page.locator(".cloud .box")
    assert cloud.locator("text.asked").all_text_contents() == ["winter"]
    assert cloud.locator(".covered").all_text_contents() == ["?"] * 3
    pressed(tab, cloud.locator(".point.asked"))
    tab.settle()
    assert parse_qs(tab.query).get("of", ["winter"]) == ["winter"] and "winter" in tab.text(".derivation .where")
    assert tab.page.locator(".near .hidden .name").all_text_contents() == ["february", "summer", "november"]
    pressed(tab, cloud.locator(".covered").first)
    tab.settle()
    assert parse_qs(tab.query).get("of", ["winter"]) == ["winter"]
    tab.page.locator(".predict button, .st-key-predict button", has_text="show me").first.click()
    cloud.locator(".covered").first.wait_for(state="detached")
    assert cloud.locator("text.asked, .asked").count() == 0


@pytest.mark.thorough
def test_what_is_compared_and_not_on_the_map_is_said_not_to_be(visit):
    tab = visit().open("meaning", lang="en", of="king", to="kings")
    assert "kings is not on this map" in tab.text(".cloud .run")
    assert tab.page.locator(".cloud line.compared").count() == 0


# Whether the point that stands nearest to the name of a group is one of that group.
NEAREST_OWN = """() => {
    const { header, places, svg } = [...seeThrough.drawn].find((picture) => picture.header?.snapshots);
    return [...svg.querySelectorAll("text.group")].map((name) => {
        const { x, y, width, height } = name.getBBox();
        const off = (at, from, size) => Math.max(from - at, 0, at - from - size);
        const far = places.map((place) => Math.hypot(off(place[0], x, width), off(place[1], y, height)));
        return header.names[header.groups[far.indexOf(Math.min(...far))]] === name.textContent;
    });
}"""


@pytest.mark.thorough
def test_labels_do_not_touch(tab):
    """The boxes in which labels were written; and a name for every group."""
    boxes = [label.bounding_box() for label in tab.page.locator(".cloud text").all()]
    assert len(boxes) > 20 and tab.page.locator(".cloud text.group").count() == 8
    assert all(tab.page.evaluate(NEAREST_OWN))
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            across = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
            down = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
            assert across < 5 or down < 8, (one, other)  # of which the halo takes six


def test_keys_lead_through_the_words(tab):
    tab.page.locator(".cloud .box svg").press("Home")
    tab.settle()
    assert parse_qs(tab.query)["of"] == ["anger"] and "anger" in tab.page.locator(".cloud .heard").inner_text()
    tab.page.locator(".cloud .box svg").press("ArrowRight")
    tab.settle()
    assert parse_qs(tab.query)["of"] == ["fear"]


@pytest.mark.thorough
def test_a_neighbour_is_compared_and_a_reload_keeps_it(tab):
    tab.page.locator(".near button", has_text="snowy").click()
    tab.page.wait_for_url("**to=snowy")
    tab.settle()
    followed = tab.followed
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert tab.followed == followed and "snowy" in tab.text(".derivation .where")


@pytest.mark.thorough
def test_a_depth_is_the_browsers_own_affair(tab):
    tab.page.locator(".senses g.place", has_text="entering").click()
    tab.settle()
    assert parse_qs(tab.query)["depth"] == ["1"]
    assert tab.page.locator(".senses .to.wrong").count() == 5 and "For 5 of 10" in tab.text(".senses .said")
    tab.page.locator(".st-key-sense_controls").get_by_role("button", name="bat", exact=True).click()
    tab.settle()
    assert "the bat sleeps" in tab.text(".senses .list") and parse_qs(tab.query)["depth"] == ["1"]
    tab.page.locator('.senses button.cell[data-at="1,0"]').focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowUp")
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**trail=cosine*")
    tab.settle()
    label = tab.page.locator('.senses button.cell[data-at="0,1"]').get_attribute("title")
    assert label.split(": ")[1] in tab.followed and tab.text(".derivation .where").count("bat") == 4
    assert tab.page.locator(".derivation h2").evaluate("title => title.getRootNode().activeElement === title")


def test_a_click_in_the_strip_follows_the_word_and_keeps_what_was_set(tab):
    tab.page.locator(".st-key-map_controls button", has_text="PCA").click()
    tab.page.wait_for_url("**map=pca*")
    tab.settle()
    tab.page.locator(".strip button", has_text="mat").click()
    tab.page.wait_for_url("**of=mat*")
    tab.settle()
    assert parse_qs(tab.query)["map"] == ["pca"] and "mat and" in tab.text(".derivation .where")
    assert tab.page.locator(".strip .first").all_inner_texts() == ["mat"]


@pytest.mark.thorough
def test_a_solid_map_is_turned_and_clicked(visit):
    tab = visit().open("meaning", lang="en", guess="skip", dimensions="3")
    point = tab.page.locator(POINTS).nth(30)
    point.scroll_into_view_if_needed()
    before = point.bounding_box()
    box = tab.page.locator(".cloud .box svg").bounding_box()
    tab.page.mouse.move(box["x"] + 200, box["y"] + 200)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 280, box["y"] + 230, steps=4)
    tab.page.mouse.up()
    assert point.bounding_box() != before and "of" not in parse_qs(tab.query)
    pressed(tab, point)
    tab.page.wait_for_url("**of=*")
    tab.settle()
    assert parse_qs(tab.query)["of"][0] in tab.text(".derivation .where")


@pytest.mark.thorough
def test_typed_words_outlive_another_theme(tab):
    """Which is a reload: a new session."""
    tab.page.locator(".choices .word").click()
    tab.page.locator(".choices button", has_text="your own").click()
    box = tab.page.locator(".st-key-words_controls textarea")
    box.wait_for()
    tab.settle()
    box.fill("pets: cat dog\ncolours: red green")
    tab.page.locator(".st-key-words_controls button", has_text="use this").click()
    tab.page.wait_for_url("**words=pets*")
    tab.settle()
    with tab.page.expect_event("load"):
        tab.page.locator(".st-key-switch-dark button").click()
    points = tab.page.locator(POINTS)
    points.first.wait_for()
    tab.settle()
    assert points.count() == 4 and parse_qs(tab.query)["theme"] == ["dark"]


# Each step stands for a moment only: they are noted down.
NOTE_STEPS = """cloud => {
    const root = cloud.getRootNode();
    window.played = [];
    new MutationObserver(() => {
        const step = root.querySelector(".cloud .step.on")?.textContent.trim();
        if (step && played.at(-1) !== step) played.push(step);
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


@pytest.mark.thorough
def test_the_run_is_played_to_its_end(tab):
    before = tab.page.evaluate("history.length")
    tab.page.locator(".cloud .play").wait_for()
    tab.page.locator(".cloud").first.evaluate(NOTE_STEPS)
    tab.page.locator(".cloud .play").click()
    tab.page.wait_for_function("() => played.length > 1 && played.at(-1) === '1,000'", timeout=60_000)
    tab.page.get_by_text("play from the start").wait_for()
    tab.settle()
    played = tab.page.evaluate("played")[1:]  # the last one stood there before
    assert (
        played == sorted(played, key=lambda step: int(step.replace(",", "")))
        and len(played) > 2
        and played[-1] == "1,000"
    )  # a slow browser leaves some out
    assert "snapshot" not in parse_qs(tab.query) and tab.page.evaluate("history.length") == before


@pytest.mark.thorough
@pytest.mark.parametrize("word", some(["奥利给", "😀", "书架"]))
def test_a_word_that_cannot_be_spelled_stays_in_its_box_which_says_so(tab, word):
    """What was followed at first is followed; who does not see the page is told with the box."""
    box = tab.page.locator(".st-key-of_controls input")
    box.fill(word)
    box.press("Enter")
    refusal = tab.page.locator(".st-key-of_controls .refusal", has_text=word)
    refusal.wait_for()
    tab.settle()
    assert box.input_value() == word == parse_qs(tab.query)["of"][0]
    assert box.get_attribute("aria-invalid") == "true"
    assert box.get_attribute("aria-describedby") == refusal.get_attribute("id")
    assert "winter and summer" in tab.text(".derivation .where") and access.grave(tab) == []
    box.press("End")
    tab.page.keyboard.press("Control+A")
    tab.page.keyboard.type("king")
    box.press("Enter")
    tab.page.wait_for_url("**of=king*")
    tab.settle()
    assert box.evaluate("e => e.getRootNode().activeElement === e") and "king" in tab.text(".derivation .where")
    assert not tab.page.locator(".st-key-of_controls .refusal").is_visible()


@pytest.mark.thorough
def test_a_phone(visit):
    tab = visit(locale="zh-CN", width=390, height=844).open("meaning", lang="zh", guess="skip")
    assert tab.sideways() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_no_chip_covers_another_word(visit, width):
    tab = visit(width=width, height=844).open("meaning", lang="en")
    distances = tab.page.evaluate("""() => {
        const map = [...seeThrough.drawn].find((picture) => picture.chips);
        const away = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
        return [...map.chips].map(([i, at]) => Math.min(...map.places.map((x, k) => (k === i ? 99 : away(x, at)))));
    }""")
    assert len(distances) >= 2 and min(distances) >= 14
