"""The size lab in Chromium: another model, another number, a part followed, a press on the curve."""

from urllib.parse import parse_qs

# How many texts a picture has, none of them cut off at its edges; else 0.
SHOWN = """(svg) => {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  return texts.every(({ left, right }) => left >= box.left - 1 && right <= box.right + 1) ? texts.length : 0;
}"""


def test_sizes_are_changed_and_parts_followed(visit):
    tab = visit().open("size", lang="en", guess="skip")
    assert "11,720,448" in tab.followed
    tab.page.get_by_role("combobox", name="Model").select_option("gpt2")
    tab.settle()
    assert "124,439,808" in tab.text(".shares") and parse_qs(tab.query)["preset"] == ["gpt2"]
    tab.page.locator(".treemap .part", has_text="self-attention").click()
    tab.settle()
    assert "28,348,416" in tab.followed and "difference 0" not in tab.text(".derivation")
    tab.page.locator(".derivation .tick").click()
    assert "difference 0" in tab.text(".derivation .check")
    tab.page.locator(".controls .more").click()
    width = tab.page.locator(".controls input").first
    width.fill("1000")
    width.press("Enter")
    tab.settle()
    assert "does not divide into 12 heads" in tab.text(".derivation")
    width.fill("0")
    width.press("Enter")
    assert "a whole number from 1" in tab.text(".controls .refusal")
    tab.page.get_by_role("combobox", name="Model").select_option("gpt3")
    tab.settle()
    assert "d" not in parse_qs(tab.query) and "174,604,259,328" in tab.text(".shares")
    tab.page.locator(".contents button[data-at=growth]").click()
    tab.settle()
    assert tab.page.locator(".curves svg").evaluate(SHOWN) > 6
    tab.page.locator(".curves svg").click(position={"x": 300, "y": 100})
    tab.settle()
    assert int(parse_qs(tab.query)["d"][0]) > 0


def test_the_parts_of_the_square_are_as_large_as_their_shares_and_can_be_pressed(visit):
    tab = visit().open("size", lang="en", guess="skip")
    parts = tab.page.locator(".treemap .part")
    areas = parts.locator("rect:not(.frame)").evaluate_all(
        "all => all.map((r) => r.width.baseVal.value * r.height.baseVal.value)"
    )
    side = tab.page.locator(".treemap svg").first.bounding_box()
    assert side
    whole = side["width"] * side["height"]
    assert abs(max(areas) / whole - 0.519) < 0.02 and sum(areas) < whole
    parts.filter(has_text="self-attention").click()
    tab.settle()
    assert parse_qs(tab.query)["part"] == ["attention"] and "3,548,160" in tab.followed
