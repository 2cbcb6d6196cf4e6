"""From a number to a row of a learned table in a real browser: by presses, by keys alone, by link; Back, reload."""

from urllib.parse import parse_qs

import pytest

from tests.profiles import some

BOOKS = "我昨天在北京买了三本书"
PROBABILITY = ".kept .door"
DOOR = ".derivation .door"
END = {"zh": "训练学来的", "en": "a parameter, learned"}


def trail(tab) -> list[str]:
    return parse_qs(tab.query).get("trail", [""])[0].split("~")


def onward(tab) -> None:
    """Press a door that leads further down: of a product the number that is not a parameter."""
    doors = tab.page.locator(DOOR)
    names = doors.evaluate_all("nodes => nodes.map((node) => node.dataset.at)")
    learned = ("weight.", "bias.", "gamma.", "beta.")
    deeper = [i for i, name in enumerate(names) if not name.rsplit("~", 1)[-1].startswith(learned)]
    doors.nth(deeper[0] if deeper else 0).click()
    tab.settle()


@pytest.mark.parametrize("lang", some(["zh", "en"]))
def test_from_a_probability_to_a_row_of_the_table_by_presses(visit, lang):
    tab = visit().open("translation", lang=lang, text=BOOKS, guess="skip", q=1, k=6)
    selected = {name: parse_qs(tab.query)[name] for name in ("q", "k")}
    tab.page.locator(PROBABILITY).first.click()
    tab.settle()
    assert trail(tab)[0].startswith("output.probabilities.1.")
    for _ in range(120):
        if END[lang] in tab.text(".derivation"):
            break
        onward(tab)
    assert END[lang] in tab.text(".derivation") or "位置定出" in tab.text(".derivation")
    assert {name: parse_qs(tab.query)[name] for name in ("q", "k")} == selected  # the picture's selection is left alone
    crumbs = tab.page.locator(".derivation .crumb")
    assert crumbs.count() == len(trail(tab))
    last, end = trail(tab), tab.followed
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert (trail(tab), tab.followed) == (last, end)
    tab.page.go_back()
    tab.settle()
    assert trail(tab) == last[:-1]
    crumbs.nth(1).click()
    tab.settle()
    assert trail(tab) == last[:1]
    crumbs.first.click()
    tab.settle()
    assert "trail" not in tab.query and tab.page.locator(".derivation .crumb").count() == 0


def tab_to(tab, selector: str) -> None:
    """Press Tab until the focus stands on such a thing."""
    there = f"document.activeElement.shadowRoot?.activeElement?.closest('{selector}') != null"
    for _ in range(60):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate(there):
            return
    raise AssertionError(f"Tab never comes to {selector}")


@pytest.mark.thorough
def test_by_keys_alone(visit):
    """From a probability: Tab to a door, Enter; the number it leads to has the focus, and Tab goes on from there."""
    tab = visit().open("translation", lang="en", text=BOOKS, guess="skip", q=1, k=6)
    tab.page.locator(".decoding svg").focus()
    tab_to(tab, PROBABILITY)
    for pressed in range(1, 60):
        tab.page.keyboard.press("Enter")
        tab.settle()
        assert len(trail(tab)) == pressed
        if "The end:" in tab.text(".derivation"):
            break
        tab_to(tab, DOOR)
    assert "The end:" in tab.text(".derivation") and len(trail(tab)) > 10


@pytest.mark.thorough
def test_a_term_that_was_not_written_out_is_reached_by_presses(visit):
    start = "encoder.3.attention.query.9.5.23"
    tab = visit().open("attention", lang="en", text="The cat sat on the mat.", guess="skip", trail=start)
    assert tab.page.locator(".derivation code:visible").count() == 1  # the largest term of the sum
    tab.page.locator(".derivation .unfold").click()
    for _ in range(2):  # of 384 terms, those after the 3 largest, and after 24 more
        tab.page.locator(".derivation code .door").last.click()
        tab.settle()
    assert trail(tab) == [start, "rest.1", "rest.1"]
    assert tab.page.locator(".derivation code").count() == 25 and tab.sideways() == 0
    door = tab.page.locator(DOOR).nth(40)
    number = door.inner_text().strip("()")
    door.click()
    tab.settle()
    assert tab.followed.endswith(number) and len(trail(tab)) == 4
    tab.page.go_back()
    tab.settle()
    assert trail(tab) == [start, "rest.1", "rest.1"]


def test_by_link_and_a_language_that_keeps_it(visit):
    way = "encoder.3.9.weights.5.6~encoder.3.attention.query.9.5.23~output.5.157"
    tab = visit().open("attention", lang="en", text="The cat sat on the mat.", guess="skip", trail=way)
    assert "2.666" in tab.followed
    with tab.answered():
        tab.page.get_by_text("中文", exact=True).click()
    assert "2.666" in tab.followed and trail(tab) == way.split("~")
    assert "第 157 维" in tab.text(".derivation .way")


def test_selecting_another_cell_ends_the_trail(visit):
    tab = visit().open("attention", lang="en", guess="skip")
    tab.page.locator(DOOR).first.click()
    tab.settle()
    assert len(trail(tab)) == 2
    tab.page.locator(".strip button").nth(2).click()
    tab.settle()
    assert "trail" not in tab.query and tab.page.locator(".derivation .crumb").count() == 0
    assert "does not begin" not in tab.text(".derivation")


@pytest.mark.thorough
def test_all_the_way(visit):
    tab = visit().open("attention", lang="en", guess="skip", show="scores", layer=1)
    entries = tab.page.evaluate("history.length")
    tab.page.locator(".derivation .all").click()
    tab.page.wait_for_function(
        "(end) => [...document.querySelectorAll('*')]"
        ".some((e) => e.shadowRoot?.querySelector('.derivation')?.textContent.includes(end))",
        arg=END["en"],
        timeout=40_000,
    )
    tab.settle()
    assert len(trail(tab)) >= 6 and tab.page.locator(".derivation .all").count() == 0
    assert tab.page.evaluate("history.length") == entries + 1
    tab.page.go_back()
    tab.settle()
    assert "trail" not in tab.query


def test_a_door_to_the_stage_that_shows_the_cell(visit):
    way = "encoder.3.9.weights.5.6~encoder.3.attention.query.9.5.23"
    tab = visit().open("attention", lang="en", text="The cat sat on the mat.", guess="skip", trail=way)
    before = tab.followed
    tab.page.locator(".derivation .foot a", has_text="See this cell").click()
    tab.page.wait_for_url(lambda url: "show=query" in url)
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert tab.followed == before and "trail" not in tab.query


@pytest.mark.thorough
def test_a_phone(visit):
    way = "encoder.3.9.weights.5.6~encoder.3.attention.query.9.5.23~output.5.157~normalized.5.157~residual.5.157"
    tab = visit(width=390, height=780).open(
        "attention", lang="zh", text="The cat sat on the mat.", guess="skip", trail=way
    )
    assert tab.sideways() <= 0


def test_a_number_in_a_sentence_is_followed_by_keys_and_back(visit):
    """From the end of a long section the panel at the top is brought into sight, with the focus on it."""
    tab = visit().open("attention", lang="zh", text="The cat sat on the mat.", guess="skip", section="maps")
    number = tab.page.locator("[data-trail]").last
    shown = number.inner_text()
    number.focus()
    number.press("Enter")
    tab.settle()
    assert tab.followed.endswith(shown) and trail(tab)[0].startswith("encoder.3.attention.context.9.")
    heading = tab.page.locator(".derivation h2").first
    box = heading.bounding_box()
    assert heading.evaluate("node => node.getRootNode().activeElement === node") and 0 <= box["y"] < 700
    tab.page.go_back()
    tab.settle()
    assert "trail" not in tab.query and not tab.followed.endswith(shown)
    tab.page.locator(".place.lead [data-trail]").click()  # it was written by the piece that a click moves
    tab.settle()
    assert trail(tab)[0].startswith("encoder.3.attention.weights.9.")


@pytest.mark.thorough
def test_from_a_gradient_of_a_changed_run_through_the_loss_to_the_table(visit):
    """The lines cut, by presses alone: from how long a gradient is to one of its numbers, back along the ways it came
    to the loss, from there into the other sentence and to a row of the table; a reload keeps it."""
    tab = visit().open("encoder", lang="zh", text="The cat sat on the mat.", guess="skip", section="residual")
    tab.page.locator("button.number[data-trail*='gradient_all_toward.edit=']").last.click()
    tab.settle()
    assert trail(tab)[0].startswith("gradient_all_toward.edit=cut")
    for _ in range(3):
        gradients = tab.page.locator(f"{DOOR}[data-at*='gradient_toward']")
        if not gradients.count():
            break
        gradients.first.click()
        tab.settle()
    assert (len(trail(tab)) > 1 and "1 − " in tab.text(".derivation")) or "1 − 与" in tab.text(".derivation")
    for _ in range(60):
        if END["zh"] in tab.text(".derivation"):
            break
        onward(tab)
    assert END["zh"] in tab.text(".derivation")
    before = (trail(tab), tab.followed)
    tab.page.reload()
    tab.page.wait_for_selector(".derivation")
    tab.settle()
    assert (trail(tab), tab.followed) == before
