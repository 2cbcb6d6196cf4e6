"""The link to a screen, as a teacher copies it and a class opens it."""

from urllib.parse import parse_qsl, urlsplit

from pages.shared.address.address import query_of
from tests.pages.test_share import read

CODE = """svg => ({
  modules: svg.viewBox.baseVal.width - 8, path: svg.querySelector("path").getAttribute("d"),
})"""
REFUSE = """() => {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  document.execCommand = () => false;
}"""
SELECTED = "field => field.value.slice(field.selectionStart, field.selectionEnd)"


def test_one_click_copies_a_link_to_this_very_screen(visit) -> None:
    mine = visit().open("attention", lang="en", guess="skip")
    mine.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    mine.page.locator(".matrix .marks").press("ArrowDown")
    mine.settle()
    mine.page.get_by_role("button", name="share").click()
    mine.page.wait_for_selector(".share .code svg")
    assert "copied" in mine.text(".share .done")
    copied = mine.page.evaluate("navigator.clipboard.readText()")
    assert copied == mine.page.url and "q=" in copied
    assert read(mine.page.locator(".share .code svg").evaluate(CODE)) == copied
    mine.page.locator(".share .code").click()
    assert mine.page.locator(".share dialog svg").bounding_box()["height"] > 600
    mine.page.keyboard.press("Escape")
    theirs = visit(width=390).open("attention", **dict(parse_qsl(urlsplit(copied).query)))
    assert theirs.page.url == copied and theirs.followed == mine.followed


def test_a_browser_that_refuses_leaves_the_link_selected(visit) -> None:
    mine = visit(locale="zh-CN")
    mine.before(f"({REFUSE})()")
    mine.open("vocabulary")
    mine.page.get_by_role("button", name="分享").click()
    mine.page.wait_for_selector(".share .code svg")
    assert "Ctrl+C" in mine.text(".share .done") and "lang=zh" in mine.page.locator(".share input").evaluate(SELECTED)
    assert "语料" in mine.text(".share .notes")


def test_a_link_too_long_for_a_code_says_so(visit) -> None:
    mine = visit().open("tokens", lang="en", text="猫" * 400, guess="skip")
    mine.page.get_by_role("button", name="share").click()
    mine.settle()
    assert "2900" in mine.text(".share .code").replace(",", "") and mine.page.locator(".share .code svg").count() == 0
    assert mine.page.locator(".share input").input_value().endswith(query_of({"guess": "skip"}))
