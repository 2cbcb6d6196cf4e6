"""The vocabulary lab in Chromium: stepping, running to a size, and what is followed."""

from urllib.parse import parse_qs


def trees(tab) -> list[str]:
    """What each word is split into, as a screen reader is told of its tree."""
    names = tab.page.locator(".merges .tree").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    return [name.split(" × ")[1] for name in names]


def test_a_vocabulary_is_stepped_through(visit):
    tab = visit().open("vocabulary", lang="en", guess="skip")
    assert trees(tab)[0] == "h ##u ##g" and "0.05000" in tab.followed
    tab.page.get_by_role("button", name="merge", exact=True).click()
    tab.settle()
    assert trees(tab)[4] == "h ##u ##gs" and parse_qs(tab.query)["step"] == ["1"]
    assert "h + ##u" in tab.followed
    tab.page.locator(".merges .candidates tbody tr").nth(2).click()
    tab.settle()
    assert parse_qs(tab.query)["pair"] == ["2"]
    size = tab.page.locator(".merges input")
    size.fill("3")
    size.press("Enter")
    tab.settle()
    assert "cannot be smaller" in tab.text(".merges .refusal") and "step" not in parse_qs(tab.query)
    tab.page.locator(".merges .bar button").last.click()
    tab.settle()
    assert trees(tab) == ["hug", "pug", "pun", "bun", "hugs"]
    pieces = "all => all.map((one) => one.querySelectorAll('.piece').length)"
    grown = tab.page.locator(".merges .tree").evaluate_all(pieces)
    assert grown == [2 * len(word) - 1 for word in trees(tab)]  # a piece more for each merge
    tab.page.locator(".merges .tree").last.locator(".piece", has_text="##gs").click()
    tab.settle()
    assert parse_qs(tab.query)["step"] == ["1"] and trees(tab)[4] == "h ##u ##gs"
    tab.page.get_by_role("button", name="BPE", exact=True).click()
    tab.settle()
    assert tab.page.locator(".merges .vocabulary .letter").first.inner_text() == "b"


def test_while_it_is_asked_which_two_are_merged_first_all_pairs_look_alike(visit) -> None:
    tab = visit().open("vocabulary", lang="en")
    asked = tab.page.locator(".merges .tree text", has_text="?")
    assert asked.count() == 2 * 4 + 3  # hug, pug, pun, bun; hugs
    assert tab.page.locator(".merges .piece.coming").count() == 0
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert asked.count() == 0 and tab.page.locator(".merges .piece.coming").count() == 1
