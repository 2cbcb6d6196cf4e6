"""The one diagram in a real browser: layers, boxes, doors, and a second sentence."""

from urllib.parse import parse_qs, urlsplit

import pytest

BOOKS = "我昨天在北京买了三本书"


def number(tab, box: int = 0) -> str:
    return tab.page.locator(".diagram .box.part .number").nth(box).inner_text()


@pytest.mark.thorough
def test_a_layer_a_box_and_a_token(visit):
    tab = visit().open("encoder", lang="en", guess="skip", shown="blocks")
    first, before = number(tab), tab.page.evaluate("history.length")
    tab.page.locator(".controls [data-at=layer-6]").click()
    tab.settle()
    assert number(tab) != first and parse_qs(tab.query)["layer"] == ["6"]
    tab.page.locator(".diagram .box.part .number").first.focus()
    tab.page.keyboard.press("Enter")
    tab.settle()
    assert "feed-forward" in tab.text(".derivation header")
    assert float(tab.followed.split()[-1]) == pytest.approx(float(number(tab)), rel=0.005)  # three of its four digits
    tab.page.locator(".strip button", has_text="mat").first.click()
    tab.settle()
    assert "mat" in tab.text(".derivation header") and tab.text(".diagram h2").endswith("mat")
    assert tab.page.evaluate("history.length") == before
    tab.page.reload()
    tab.page.wait_for_selector(".diagram .box.part")
    tab.settle()
    assert "mat" in tab.text(".derivation header") and "feed-forward" in tab.text(".derivation header")


def test_a_box_is_a_door_and_back_returns(visit):
    tab = visit().open("encoder", lang="en", text=BOOKS, guess="skip", layer=2, shown="blocks")
    tab.page.locator(".diagram a.title", has_text="cross-attention").click()
    tab.page.wait_for_selector(".decoding svg")
    tab.settle()
    assert urlsplit(tab.page.url).path.endswith("/translation") and parse_qs(tab.query)["text"] == [BOOKS]
    tab.page.go_back()
    tab.page.wait_for_selector(".diagram .box.part")
    tab.settle()
    assert parse_qs(tab.query)["layer"] == ["2"]
    for _ in tab.widths():
        assert tab.sideways() <= 0


def test_the_stream_and_the_blocks_take_turns(visit):
    """One picture at a time, of the same layer and the same sub-layer."""
    tab = visit().open("encoder", lang="en", guess="skip")
    tab.page.locator(".controls [data-at=layer-5]").click()
    tab.settle()
    assert tab.page.locator(".river .band.on[data-layer='5']").count() == 2 and not tab.page.locator(".diagram").count()
    followed = tab.followed
    for shown in ("blocks", "stream"):
        tab.page.locator(f".controls [data-at=shown-{shown}]").click()
        tab.settle()
        assert tab.page.locator(".diagram .box.on").count() == (shown == "blocks") and tab.followed == followed
        assert tab.page.locator(".river").count() == (shown == "stream")


def test_a_second_sentence(visit):
    tab = visit(locale="zh-CN").open("encoder", text=BOOKS, guess="skip", section="parting")
    field = tab.page.locator("[data-at=other]")
    with tab.answered():
        field.fill("我昨天在北京卖了三本书")
        field.press("Enter")
    assert parse_qs(tab.query)["other"] == ["我昨天在北京卖了三本书"]
    tab.page.wait_for_selector(".curves svg")
