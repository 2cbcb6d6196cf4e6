"""Where the line is down, that is said in the visitor's language, and the page can be read on and used again."""

import pytest
from playwright.sync_api import Browser

from benchmarks.lost import Line
from pages.shared.words.texts import Texts
from tests.browser.conftest import Visitor

pytestmark = pytest.mark.thorough


def test_a_lost_line_is_said_quietly_in_the_visitors_language(browser: Browser, site: str) -> None:
    line = Line(site)
    with browser.new_context(locale="zh-CN") as context:
        tab = Visitor(context.new_page(), line.url).open("attention", lang="zh", guess="skip")
        strip, dialogs = tab.page.locator("body > .lost"), tab.page.locator(".stDialog")
        assert not strip.is_visible()
        line.cut()
        strip.wait_for()
        assert strip.inner_text() == Texts("zh")("line_lost") and strip.get_attribute("role") == "status"
        tab.page.wait_for_timeout(4500)  # Streamlit's own comes after some seconds
        assert not dialogs.count() and strip.is_visible()
        assert not tab.page.evaluate("() => [...document.body.children].some((part) => part.inert)")
        line.mend()
        strip.wait_for(state="hidden", timeout=20_000)
        assert not tab.settle().page.locator(".lost").inner_text()
