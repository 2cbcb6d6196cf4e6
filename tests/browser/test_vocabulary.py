"""The vocabulary lab in Chromium: stepping, running to a size, and what is followed."""

from urllib.parse import parse_qs


def words(tab) -> list[str]:
    return [row.replace("\n", " ") for row in tab.page.locator(".merges .word .pieces").all_inner_texts()]


def test_a_vocabulary_is_stepped_through(visit):
    tab = visit().open("vocabulary", lang="en", guess="skip")
    assert words(tab)[0].split() == ["h", "##u", "##g"] and "0.05000" in tab.followed
    tab.page.get_by_role("button", name="merge", exact=True).click()
    tab.settle()
    assert words(tab)[4].split() == ["h", "##u", "##gs"] and parse_qs(tab.query)["step"] == ["1"]
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
    assert words(tab) == ["hug", "pug", "pun", "bun", "hugs"]
    tab.page.get_by_role("button", name="BPE", exact=True).click()
    tab.settle()
    assert tab.page.locator(".merges .vocabulary .piece").first.inner_text() == "b"
