"""A class: a teacher opens a room, pupils come in by its code, answer, and are taken along."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_share import CODE
from tests.pages.test_share import read

pytestmark = pytest.mark.thorough


def said(visitor) -> Locator:
    return visitor.page.locator(".classroom .said")


def test_a_lesson(visit) -> None:
    teacher = visit().open("attention", lang="en")
    teacher.page.get_by_role("button", name="Class", exact=True).click()
    teacher.page.wait_for_selector(".classroom .said")
    room = parse_qs(urlsplit(teacher.page.url).query)["room"][0]
    teacher.page.get_by_role("button", name="QR code").click()
    teacher.page.wait_for_selector(".classroom .panel svg")
    link = read(teacher.page.locator(".classroom .panel svg").evaluate(CODE))
    assert link.endswith(f"/?room={room}")
    teacher.page.keyboard.press("Escape")

    pupil = visit(width=390).open("", lang="en", room=room.lower())
    pupil.page.wait_for_url("**/attention*")
    pupil.page.wait_for_selector("[class*='st-key-guess_'] button")
    pupil.settle()
    guesses = pupil.page.locator("[class*='st-key-guess_'] button")
    guesses.first.click()
    pupil.page.wait_for_function("() => document.querySelector('.st-key-predict .answer')")
    pupil.settle()
    expect(said(pupil)).to_contain_text("counted")
    expect(said(teacher)).to_contain_text("1 here · 1 answered")
    assert not teacher.page.locator(".classroom .bars").is_visible()
    teacher.page.locator(".st-key-skip button").click()
    teacher.page.wait_for_selector(".classroom .bars .row")
    counts = teacher.page.locator(".classroom .row b").all_inner_texts()
    assert sorted(counts, reverse=True)[0] == "1" and sum(map(int, counts)) == 1

    teacher.page.locator(".st-key-path a", has_text="Heads").click()
    teacher.page.wait_for_url("**/heads*")
    pupil.page.wait_for_url("**/heads*")
    pupil.settle()
    assert room in pupil.page.url
    pupil.page.get_by_role("button", name="Follow the teacher").click()
    teacher.page.locator(".st-key-path a", has_text="Tokens").click()
    teacher.page.wait_for_url("**/tokens*")
    teacher.settle()
    teacher.page.wait_for_timeout(2500)
    assert "/heads" in pupil.page.url

    teacher.page.get_by_role("button", name="End the class").click()
    teacher.page.wait_for_function("() => !location.search.includes('room')")
    expect(said(pupil)).to_contain_text("has ended")
