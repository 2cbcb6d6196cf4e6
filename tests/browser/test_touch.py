"""By finger, on a phone: a tap says what a mouse would be told, a held finger has a loupe, a swipe scrolls."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from core.stages import STAGES
from pages.stages import pages
from tests.profiles import some

# The pictures in which a mouse may be told something, and places all over each: [its place, x, y].
SURFACES = """() => [...document.querySelectorAll("[data-drawn]")].flatMap((host, i) => {
  const surfaces = [...host.shadowRoot.querySelectorAll("canvas, svg")].filter((s) => !s.closest("button, a"));
  const surface = surfaces.findLast((s) => s.checkVisibility() && s.clientWidth > 100 && s.clientHeight > 60);
  return surface && host.shadowRoot.querySelector(".tip") ? [i] : [];
})"""
PLACES = """(i) => {
  const host = document.querySelectorAll("[data-drawn]")[i];
  const surfaces = [...host.shadowRoot.querySelectorAll("canvas, svg")].filter((s) => !s.closest("button, a"));
  const surface = surfaces.findLast((s) => s.checkVisibility() && s.clientWidth > 100 && s.clientHeight > 60);
  surface.scrollIntoView({ block: "center" });
  const { left, top, width, height } = surface.getBoundingClientRect();
  const rows = (x) => [0.3, 0.55, 0.8].map((y) => [left + x * width, top + y * height]);
  const places = [0.35, 0.62, 0.81].flatMap(rows);
  return places.filter(([x, y]) => host.shadowRoot.elementFromPoint(x, y)?.closest("canvas, svg"));
}"""
TOLD = """(i) => {
  const tip = document.querySelectorAll("[data-drawn]")[i].shadowRoot.querySelector(".tip:not([hidden])");
  return tip?.innerText ?? null;
}"""
CLEAR = """(chip) => {
  const [here, row] = [chip, chip.parentNode].map((node) => node.getBoundingClientRect());
  const [before, beyond] = ["behind", "beyond"].map((side) => (chip.parentNode.classList.contains(side) ? 40 : 0));
  return row.left + before <= here.left && here.right <= row.right - beyond;
}"""
SWIPED = [("position", ".waves svg"), ("meaning", ".cloud .box svg"), ("overview", ".depth svg")]
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


@pytest.fixture
def phone(visit) -> Callable:
    return lambda: visit(width=390, height=844, has_touch=True, is_mobile=True)


def touching(page: Page) -> Callable[..., None]:
    """A finger: touch("Start", x, y), touch("Move", x, y), touch("End")."""
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *place: float) -> None:
        points = [dict(zip("xy", place, strict=True))] if place else []
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    return touch


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_token_that_is_selected_stands_clear_of_what_fades(phone, lang: str) -> None:
    tab = phone().open("position", lang=lang, guess="skip")
    chips = tab.page.locator(".strip button")
    for i in range(chips.count()):
        chips.nth(i).press("Enter")
        chosen = tab.page.locator(".strip .first")
        chosen.and_(chips.nth(i)).wait_for()
        tab.page.wait_for_function(
            "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        )
        assert chosen.evaluate(CLEAR), chosen.inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize("slug", some([stage.slug for stage in STAGES if stage.slug != "overview"][::-1], every=6))
def test_a_tap_is_told_what_a_mouse_is(phone, slug: str) -> None:
    tab = phone().open(slug, lang="en", guess="skip")
    page = tab.page
    for surface in page.evaluate(SURFACES):
        for x, y in page.evaluate(PLACES, surface):
            page.mouse.move(x, y)
            told = page.evaluate(TOLD, surface)
            page.mouse.move(0, 0)
            if told:
                page.touchscreen.tap(x, y)
                tab.settle()
                assert page.evaluate(TOLD, surface), (surface, told)
                break
        page.touchscreen.tap(190, 20)
        assert page.evaluate(TOLD, surface) is None


def test_a_held_finger_has_a_loupe_and_chooses_where_it_is_lifted(phone) -> None:
    tab = phone().open("attention", lang="en", guess="skip", q=0, k=0)
    page = tab.page
    canvas = page.locator(".st-key-matrix canvas.marks")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y, before = box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"], page.evaluate(SCROLLED)
    touch = touching(page)
    touch("Start", x, y)
    page.wait_for_selector(".matrix .loupe:popover-open")
    glass = page.locator(".matrix .loupe .glass").bounding_box()
    assert glass["y"] + glass["height"] < y - 40  # above the finger
    for i in range(1, 11):
        touch("Move", x, y + 6 * i)
    said = page.locator(".matrix .loupe .said")
    page.wait_for_function("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    assert said.inner_text() == page.locator(".matrix .tip").text_content()
    touch("End")
    tab.settle()
    assert page.locator(".loupe").count() == 0 and page.evaluate(SCROLLED) == before
    assert "q=0" not in tab.query and "q=" in tab.query
    row, column = page.locator(".matrix .tip").inner_text().split("  ")[0].split(" → ")
    where = tab.text(".derivation .where")
    assert where.startswith(row) and column in where


@pytest.mark.parametrize(("slug", "picture"), some(SWIPED))
def test_a_swipe_over_a_picture_scrolls_and_chooses_nothing(phone, slug: str, picture: str) -> None:
    tab = phone().open(slug, lang="en", guess="skip", dimensions=3)
    page = tab.page
    page.locator(picture).first.scroll_into_view_if_needed()
    box = page.locator(picture).first.bounding_box()
    asked, before = tab.query, page.evaluate(SCROLLED)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = touching(page)
    touch("Start", x, y)
    for up in range(12, 200, 12):
        touch("Move", x, y - up)
    touch("End")
    tab.settle()
    assert abs(page.evaluate(SCROLLED) - before) > 100 and tab.query == asked


def test_a_number_says_its_digits_to_a_finger(phone) -> None:
    tab = phone().open("attention", lang="en", guess="skip")
    number = tab.page.locator(".derivation h2 b")
    digits = number.get_attribute("title")
    number.tap()
    assert tab.page.locator(".term-note").inner_text() == digits and len(digits) > 8
    tab.page.touchscreen.tap(190, 20)
    assert not tab.page.locator(".term-note").is_visible()


@pytest.mark.thorough
def test_what_a_button_does_is_told_to_a_held_finger_and_the_keyboard(phone, visit) -> None:
    """And a finger that is held presses nothing; one that taps does."""
    tab = phone().open("overview", lang="en", guess="skip")
    page = tab.page
    button = page.locator(".sheet .sign").first
    button.scroll_into_view_if_needed()
    said, box, asked = button.get_attribute("title"), button.bounding_box(), tab.query
    touch = touching(page)
    touch("Start", box["x"] + 20, box["y"] + 20)
    page.wait_for_selector(".term-note:not([hidden])")
    touch("End")
    tab.settle()
    assert page.locator(".term-note").inner_text() == said and tab.query == asked
    button.tap()
    tab.settle()
    assert not page.locator(".term-note").is_visible()

    desk = visit().open("overview", lang="en", guess="skip")
    button = desk.page.locator(".sheet .sign").first
    desk.page.keyboard.press("Tab")
    button.focus()
    assert desk.page.locator(".term-note").inner_text() == button.get_attribute("title")
    assert button.get_attribute("aria-expanded") is None
    desk.page.keyboard.press("Escape")
    assert not desk.page.locator(".term-note").is_visible()


def test_digits_are_told_to_the_keyboard(visit) -> None:
    """In a table that has the focus, where its arrows lead; and in the number that is followed."""
    tab = visit().open("layernorm", lang="en", guess="skip", section="hand", vector="0.123456789, 2.3456789, 1.1111111")
    page = tab.page
    note = page.locator(".term-note")
    page.keyboard.press("Tab")
    table = page.locator(".st-key-section_in .shapes-box")
    table.focus()
    first, beside, below = (
        table.locator(f"tr:nth-child({row}) td[title]").nth(i) for row, i in ((1, 0), (1, 1), (2, 1))
    )
    for key, cell in ((None, first), ("ArrowRight", beside), ("ArrowDown", below)):
        if key:
            page.keyboard.press(key)
        assert note.inner_text() == cell.get_attribute("title")
    assert len(first.get_attribute("title")) > len(first.inner_text())
    number = page.locator(".derivation h2 b")
    number.focus()
    assert note.inner_text() == number.get_attribute("title") != number.inner_text()


# What can be pressed and is smaller than a finger needs: a place in a picture or a text, 24 px; what a hand works, 44.
SMALL = """() => {
  const pressed = "button, a[href], summary, input:not([type=hidden]), [role=button], [role=radio], [role=slider]";
  const native = "[data-testid^=stBaseButton], [data-testid=stSidebar] a, [data-testid=stExpander] summary";
  const worked = `${native}, .vote, .strip button, .segments button, .contents button`;
  const all = (css, root = document) => [
    ...root.querySelectorAll(css),
    ...[...root.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? all(css, e.shadowRoot) : [])),
  ];
  return all(pressed).flatMap((e) => {
    const { width, height } = (e.matches("input") && e.closest("label") || e).getBoundingClientRect();
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || width < 2) return [];
    const reach = getComputedStyle(e, "::after"); // what a finger may press beside it
    const [w, h] = [Math.max(width, parseFloat(reach.width) || 0), Math.max(height, parseFloat(reach.height) || 0)];
    const least = e.matches(worked) ? 44 : 24;
    const inLine = e.matches(".term, .paper, .see"); // as wide as its word
    return h < least - 0.5 || (w < least - 0.5 && !inLine) ? [`${e.outerHTML.slice(0, 90)} ${w} × ${h}`] : [];
  });
}"""


# Doors whose words are longer than their line.
CUT = """() => [...document.querySelectorAll("[data-testid=stMain] [data-testid=stPageLink] *")]
  .filter((e) => getComputedStyle(e).overflow !== "visible" && e.scrollWidth > e.clientWidth).map((e) => e.innerText)"""


@pytest.mark.thorough
@pytest.mark.parametrize("slug", some([slug for slug in pages() if slug != "overview"], every=6))
def test_a_thumb_reaches_everything(phone, slug: str) -> None:
    """With all at the foot of the page open; on a phone, then on a tablet; and in each section."""
    tab = phone().open(slug, lang="en", guess="skip", open=1)
    for width, height in ((820, 1180), (390, 844)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.settle()
        assert tab.sideways() <= 0 and tab.page.evaluate(SMALL) == tab.page.evaluate(CUT) == [], width
    for section in tab.sections():
        assert tab.sideways() <= 0 and tab.page.evaluate(SMALL) == tab.page.evaluate(CUT) == [], section


# The link to this page, and a token of the sentence that it covers: both in pixels of the screen.
COVERED = """() => {
  const inside = (key, css) => [...document.querySelectorAll(`.st-key-${key} *`)].map((e) => e.shadowRoot)
    .filter(Boolean).flatMap((root) => [...root.querySelectorAll(css)]);
  const [share] = inside("share", "button").map((e) => {
    const words = document.createRange();
    words.selectNodeContents(e);
    return words.getBoundingClientRect();
  });
  return inside("strip", ".row > *").filter((e) => {
    const token = e.getBoundingClientRect();
    return token.right > share.left && token.left < share.right && token.bottom > share.top && token.top < share.bottom;
  }).map((e) => e.innerText);
}"""


@pytest.mark.parametrize("slug", ["training", "tokens", "vocabulary"])
def test_the_link_to_the_page_covers_no_token(phone, slug: str) -> None:
    tab = phone().open(slug, lang="zh", guess="skip")
    assert tab.page.evaluate(COVERED) == []


def test_an_exercise_has_its_verdict_in_sight_of_the_picture(phone) -> None:
    tab = phone().open("attention", lang="en", guess="skip")
    tab.page.locator(".st-key-practice summary").click()
    tab.settle()
    tab.page.evaluate("document.querySelector('.st-key-matrix').scrollIntoView()")
    verdict = tab.page.locator(".st-key-practice .verdict").bounding_box()
    panel = tab.page.locator(".st-key-practice").bounding_box()
    assert verdict["y"] + verdict["height"] <= 844 and panel["y"] > 844 / 2
