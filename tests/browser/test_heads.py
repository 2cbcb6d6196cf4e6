"""Heads in a real Chromium: lines under pointer and keys, pins, heads over each other, the grid, what is saved."""

from urllib.parse import parse_qs

import numpy as np
import pytest

CAT = "The cat sat on the mat."


@pytest.fixture
def tab(visit):
    return visit().open("heads", lang="en", text=CAT, guess="skip", way="upright")


def asked(tab) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(tab.query).items()}


def token(tab, at: str):
    return tab.page.locator(f".lines .token[data-at={at}]")


def painted(tab) -> str:
    return tab.page.locator(".lines canvas.over").evaluate("canvas => canvas.toDataURL()")


def test_dots_are_chosen_by_mouse_and_by_keys(visit):
    tab = visit().open("heads", lang="en", text=CAT, guess="skip")
    tab.page.locator(".dots [data-cell='2 6']").click()
    tab.settle()
    assert asked(tab)["head"] == "2" and asked(tab)["k"] == "6" and "the₅ → mat" in tab.text(".derivation header")
    tab.page.locator(".dots .box").press("ArrowUp")
    tab.page.locator(".dots .box").press("ArrowLeft")
    tab.settle()
    assert (asked(tab)["head"], asked(tab)["k"]) == ("1", "5") and "head 1" in tab.text(".dots .heard")
    tab.page.get_by_label("next query").click()
    assert "query: mat" in tab.text(".dots .who")
    counts = [int(text) for text in tab.page.locator(".dots .count").all_text_contents() if text]
    assert sum(counts) == 12
    with tab.answered():
        tab.page.locator("[data-at=way-upright]").click()
    assert tab.page.locator(".lines").count() == 1 and not tab.page.locator(".dots").count()


@pytest.mark.thorough
def test_the_name_of_a_head_says_what_it_does(visit):
    tab = visit().open("heads", lang="en", text=CAT, guess="skip")
    tab.page.locator(".dots .band[data-cell='10']").hover(position={"x": 60, "y": 8})
    assert "Head 10 is called “repeat”" in tab.text(".dots .tip")
    title = tab.page.locator(".grid [data-at='tile-1.3']").get_attribute("title")
    assert title.endswith("previous · attends to the previous token.")
    keys = tab.page.locator(".dots .key").all_text_contents()
    assert keys[1] == "the₁" and keys[5] == "the₅", "a token that occurs twice carries its place"


def test_dots_of_a_long_text_on_a_phone(visit):
    tab = visit(width=390).open("heads", lang="en", text=f"{CAT} " * 5, guess="skip", way="dots")
    assert "Keys not shown" in tab.text(".dots .caption") and tab.sideways() <= 0


def test_a_token_shows_its_lines_and_a_click_pins_it(tab):
    before = painted(tab)
    token(tab, "q2").hover()
    assert painted(tab) != before and "back" in tab.page.locator(".lines canvas").first.get_attribute("class")
    token(tab, "q2").click()
    tab.settle()
    now = asked(tab)
    assert now["pin"] == "q5-q2" and now["q"] == "2"
    assert "cat → " in tab.text(".derivation header")
    token(tab, "k6").click()
    tab.settle()
    assert asked(tab)["pin"] == "q5-q2-k6" and asked(tab)["k"] == "6"
    tab.page.reload()
    tab.settle()
    assert token(tab, "q2").get_attribute("aria-pressed") == "true"
    tab.page.locator(".lines [data-at=unpin]").click()
    tab.settle()
    assert asked(tab)["pin"] == "none"


def test_keys_move_between_tokens_and_pin(tab):
    token(tab, "q5").focus()
    tab.page.keyboard.press("ArrowUp")
    assert tab.page.evaluate("document.querySelector('.st-key-lines *')") is not None
    tab.page.keyboard.press("Enter")
    tab.settle()
    assert asked(tab)["pin"] == "q5-q4" and asked(tab)["q"] == "4"
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    tab.settle()
    assert asked(tab)["pin"] == "q5-q4-k5"
    tile = tab.page.locator(".grid [data-at='tile-3.9']")
    tile.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    tab.settle()
    assert asked(tab)["head"] == "10"


def test_sorting_shows_the_head_of_the_token_before_and_positions_take_it_away(tab):
    tab.page.locator(".grid .label").first.hover()
    tab.page.wait_for_selector("#term-note:has-text('How heads are sorted')")
    assert "Lets go" in tab.page.locator(".lines [data-at=unpin]").get_attribute("title")
    tab.page.mouse.move(0, 0)
    tab.page.locator(".grid [data-at=sort-previous]").click()
    first = tab.page.locator(".grid .tile").first
    assert first.locator(".name").inner_text() == "1.3" and first.locator(".value").inner_text() == "1.00"
    first.locator("button").first.click()
    tab.page.locator(".lines [data-at=all]").click()  # this head alone
    tab.settle()
    tab.page.locator(".grid .tile", has_text="2.9").locator(".plus").click(force=True)
    tab.settle()
    assert asked(tab)["also"] == "1.3-2.9" and tab.page.locator(".lines .chip").count() == 2
    tab.page.get_by_text("What if", exact=True).click()
    tab.settle()
    with tab.answered():
        tab.page.get_by_text("all positions zero").first.click()
    assert asked(tab)["edit"] == "zero"
    assert "all positions zero" in tab.text(".place.lead")
    assert float(tab.page.locator(".grid .tile", has_text="1.3").first.locator(".value").inner_text()) < 0.3


@pytest.mark.thorough
def test_what_is_saved_is_what_is_seen(tab, tmp_path):
    with tab.page.expect_download() as svg:
        tab.page.locator(".lines [data-at=svg]").click()
    drawn = svg.value.path().read_text(encoding="utf-8")
    assert drawn.startswith("<svg") and 90 < drawn.count("<path") <= 12 * 9 and "layer 3, head 9" in drawn
    with tab.page.expect_download() as png:
        tab.page.locator(".lines [data-at=png]").click()
    assert png.value.path().read_bytes().startswith(b"\x89PNG")
    tab.page.get_by_text("Take it with you", exact=True).click()
    tab.settle()
    with tab.page.expect_download() as npz:
        tab.page.get_by_role("button", name="all heads (").click()
    with np.load(npz.value.path()) as saved:
        assert saved["weights"].shape == (6, 12, 9, 9) and saved["edits"].size == 0
    with tab.page.expect_download() as page:
        tab.page.get_by_role("button", name="one HTML file", exact=True).click()
    file = tmp_path / "heads.html"
    file.write_bytes(page.value.path().read_bytes())
    alone = tab.page.context.browser.new_context(offline=True).new_page()
    asked_for: list[str] = []
    faults: list[str] = []
    alone.on("request", lambda request: asked_for.append(request.url))
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.goto(file.as_uri())
    alone.wait_for_function("() => window.drawn")
    alone.locator(".token[data-at=q2]").click()
    assert alone.locator(".token[data-at=q2]").get_attribute("aria-pressed") == "true"
    alone.locator("[data-at=sort-previous]").click()
    assert alone.locator(".tile .name").first.inner_text() == "1.3"
    assert asked_for == [file.as_uri()] and not faults
    alone.context.close()


@pytest.mark.thorough
def test_changes_are_chosen_together_and_let_go_of(visit):
    tab = visit().open("heads", lang="en", guess="skip", section="whatif")

    def press(name: str) -> str:
        tab.page.get_by_role("button", name=name, exact=True).click()
        tab.settle()
        return tab.query

    assert "edit=zero" in press("all positions zero")
    both = press("mute layer 3, head 9")
    assert parse_qs(both)["edit"] == ["zero,mute:encoder.3.9"]
    assert parse_qs(press("all positions zero"))["edit"] == ["mute:encoder.3.9"]
    assert "mute" in tab.text(".st-key-section_in") and "edit" not in press("as it is")

    press("mute all heads of layer 3")
    pressed = tab.page.locator(".st-key-whatif_controls button[aria-pressed=true]")
    assert pressed.all_inner_texts() == ["mute all heads of layer 3"]  # not its parts as well
    assert parse_qs(press("mute layer 3, head 9"))["edit"] == ["mute:encoder.3.9"]
