"""Other ways to tell positions, in Chromium: another way, another head, a cell followed; a recorded model."""

from urllib.parse import parse_qs


def test_ways_are_compared_and_a_score_is_followed(visit):
    tab = visit().open("position", lang="en", guess="skip", section="others")
    followed = ".st-key-others_pair .derivation"
    assert "Added, left" in tab.text(followed)
    tab.page.locator(".st-key-others_controls button", has_text="Transformer-XL").first.click()
    tab.settle()
    assert parse_qs(tab.query)["left"] == ["transformer_xl"] and "v · r" in tab.text(followed)
    before = tab.text(followed)
    canvas = tab.page.locator(".st-key-others_right canvas.marks")
    with tab.answered():
        canvas.click(position={"x": 120, "y": 60})
    assert tab.text(followed) != before and {"q", "k"} <= set(parse_qs(tab.query))
    tab = visit().open("position", lang="en", guess="skip", section="lengths")
    tab.page.locator(".st-key-lengths_controls select").first.select_option(label="rotary")
    tab.settle()
    assert parse_qs(tab.query)["one"] == ["rotary"] and "rotary: from" in tab.text("[data-testid=stMain]")
