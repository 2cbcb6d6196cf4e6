"""The vocabulary lab in Chromium: stepping, running to a size, and what is followed."""

from urllib.parse import parse_qs


def trees(tab) -> list[str]:
    """What each word is split into, as a screen reader is told of its tree."""
    names = tab.page.locator(".merges .tree").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    return [name.split(" × ")[1] for name in names]


def test_a_vocabulary_is_stepped_through(visit):
    tab = visit().open("vocabulary", lang="en", guess="skip")
    assert trees(tab)[0] == "h ##u ##t" and "0.0556" in tab.followed
    tab.page.get_by_role("button", name="merge", exact=True).click()
    tab.settle()
    assert trees(tab)[4] == "ba ##t" and parse_qs(tab.query)["step"] == ["1"]
    assert "##a + ##t" in tab.followed
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
    assert trees(tab) == ["hut", "hug", "bug", "hat", "bat"]
    pieces = "all => all.map((one) => one.querySelectorAll('.piece').length)"
    grown = tab.page.locator(".merges .tree").evaluate_all(pieces)
    assert grown == [2 * len(word) - 1 for word in trees(tab)]  # a piece more for each merge
    tab.page.locator(".merges .tree").last.locator(".piece", has_text="ba").nth(1).click()  # below bat
    tab.settle()
    assert parse_qs(tab.query)["step"] == ["1"] and trees(tab)[4] == "ba ##t"
    tab.page.get_by_role("button", name="BPE", exact=True).click()
    tab.settle()
    assert tab.page.locator(".merges .vocabulary .letter").first.inner_text() == "a×10"


def test_while_it_is_asked_which_two_are_merged_first_all_pairs_look_alike(visit) -> None:
    tab = visit().open("vocabulary", lang="en")
    asked = tab.page.locator(".merges .tree text", has_text="?")
    assert asked.count() == 2 * 5  # hut, hug, bug, hat, bat
    assert tab.page.locator(".merges .piece.coming").count() == 0 and tab.page.locator(".merges .bar").count() == 0
    rows = tab.page.locator(".merges .candidates tbody tr")
    assert rows.first.inner_text().split("\t")[1:] == ["5", "9", "10", "?"]  # b ##a
    assert tab.page.locator(".merges .candidates .asked").all_inner_texts() == ["b ##a", "b ##u", "h ##u"]
    tab.page.locator(".st-key-skip button").click()
    tab.settle()
    assert asked.count() == 0 and tab.page.locator(".merges .piece.coming").count() == 1


def test_on_a_phone_the_steps_stand_under_what_is_seen(visit) -> None:
    tab = visit(width=390, height=844).open("vocabulary", lang="en", guess="skip")
    said, bar = (tab.page.locator(f".merges .top {part}").bounding_box() for part in (".below", ".bar"))
    assert said and bar and said["y"] + said["height"] <= bar["y"] and bar["x"] + bar["width"] <= 390
