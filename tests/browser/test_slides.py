"""Slides in a browser: a class sees every stage whole, the keys turn and reveal, the notes follow, a tour resumes."""

import pytest

from core.exercises import of_stage
from core.stages import STAGES
from pages.shared.page.slides import count as slides_for_a_class
from pages.shared.page.slides import slides_of, way
from pages.shared.words.texts import LANGUAGES
from tests.browser import access
from tests.profiles import crossed, some

STOPS = [stage.slug for stage in STAGES if stage.parent is None]
LABS = [stage.slug for stage in STAGES if stage.parent]
# What of the page can be seen, by the edges of the window: sideways, below; and the shares of picture and number.
SEEN = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const boxes = [...document.querySelectorAll("[data-testid=stMainBlockContainer] [class*=st-key-]")]
    .map((node) => [node.className.match(/st-key-(\\w+)/)[1], node.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const row = document.querySelector(".st-key-derivation")?.closest("[data-testid=stHorizontalBlock]");
  return {
    sideways: main.scrollWidth - main.clientWidth,
    cut: boxes.filter(([, box]) => box.bottom > innerHeight + 1).map(([name]) => name),
    hidden: ["notice", "open_it", "next", "contents"].filter((name) => boxes.some(([key]) => key === name)),
    zoom: document.querySelector("[data-testid=stMainBlockContainer]").currentCSSZoom,
    content: document.querySelector(".st-key-slides").getBoundingClientRect().width,
  };
}"""


# Runs before the page: whatever a canvas is written on is kept, with the pixels of its type.
WRITTEN = """(() => {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  window.written = new WeakMap();
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, ...size) {
    if (x <= 0 && y <= 0) window.written.delete(this.canvas);
    return clearRect.call(this, x, y, ...size);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    const { b, d } = this.getTransform();
    const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]) * Math.hypot(b, d);
    window.written.set(this.canvas, [...(window.written.get(this.canvas) ?? []), [String(text), size]]);
    return fillText.call(this, text, ...place);
  };
})()"""
# Every text in the window, on a canvas, too, that is under 24 px on 1920 × 1080, but tokens: picture, pixels, text.
SMALL = """() => {
  const tokens = ".strip *, .token, .word, .chip, .key, .piece, .gloss, sub, sup, .heard";
  const all = (node) => [
    ...node.childNodes, ...[...node.childNodes].flatMap((n) => [...all(n), ...(n.shadowRoot ? all(n.shadowRoot) : [])]),
  ];
  const seen = (node) => node?.checkVisibility({ opacityProperty: true });
  const every = all(document.querySelector("[data-testid=stMain]"));
  const texts = every.flatMap((text) => {
    const node = text.parentElement;
    if (text.nodeType !== 3 || !text.data.trim() || !seen(node)) return [];
    if (node.closest(tokens) || ["STYLE", "SCRIPT"].includes(node.nodeName)) return [];
    const { width, height } = node.getBoundingClientRect();
    return width < 2 || height < 2
      ? []
      : [[node, parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom, text.data.trim()]];
  });
  const drawn = every.flatMap((node) => {
    if (node.nodeName !== "CANVAS" || !seen(node)) return [];
    const by = node.getBoundingClientRect().height / node.height;
    const written = window.written.get(node) ?? [];
    return written.flatMap(([text, size]) => (text.trim() ? [[node, by * size, text]] : []));
  });
  return [...texts, ...drawn].flatMap(([node, pixels, text]) => {
    const part = node.closest("[class*=st-key-]") ?? node.getRootNode().host?.closest("[class*=st-key-]");
    const name = part?.className.match(/st-key-(\\w+)/)[1];
    return pixels < 23.9 ? [`${name} ${node.getAttribute("class")} ${pixels.toFixed(1)} ${text.slice(0, 20)}`] : [];
  });
}"""
# Resolves once what did not fit has been made to, for a moment.
FITTED = """async () => {
  const { style } = document.documentElement;
  for (let was = null, since = performance.now(); performance.now() - since < 500; ) {
    if (was !== style.cssText) [was, since] = [style.cssText, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""


def number(visitor) -> str:
    return visitor.page.locator(".slides .place").inner_text()


def turn(visitor, key: str) -> None:
    visitor.page.keyboard.press(key)
    visitor.settle()


def whole(visitor) -> None:
    """Nothing is cut, once what is too tall has been fitted."""
    page = visitor.page
    page.wait_for_function(f"() => {{ const seen = ({SEEN})(); return !seen.cut.length && seen.sideways <= 0; }}")
    assert page.evaluate(SEEN)["hidden"] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("slug", "lang"), some(crossed([stage.slug for stage in STAGES], LANGUAGES), every=6))
def test_on_the_wall_nothing_but_tokens_is_under_24_pixels(visit, slug: str, lang: str) -> None:
    """Every slide, as it opens; and the exercise at the end once the question is out of its way."""
    visitor = visit(width=1920, height=1080, locale={"zh": "zh-CN", "en": "en-US"}[lang])
    page = visitor.page
    visitor.before(WRITTEN)
    visitor.open(slug, present=1, lang=lang)
    page.mouse.move(960, 1060)
    small = {}
    for key in ["ArrowRight"] * (slides_for_a_class(slug) - 1) + [" ", None]:
        page.evaluate(FITTED)
        whole(visitor)
        small[number(visitor), key] = page.evaluate(SMALL)
        if key:
            turn(visitor, key)
    assert {at: texts for at, texts in small.items() if texts} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("slug", some(STOPS[::-1]))
def test_a_class_walks_a_stop_with_one_key(visit, slug: str) -> None:
    """Every slide, at the smaller of two screens; the last, also at the larger; and on to the next stop."""
    visitor = visit(width=1280, height=720)
    visitor.open(slug, present=1)
    count = slides_for_a_class(slug)
    for i in range(1, count + 1):
        visitor.page.wait_for_function(
            "at => document.querySelector('.st-key-slides')?.firstElementChild"
            " && new URLSearchParams(location.search).get('slide') === at",
            arg=str(i),
        )
        visitor.settle()
        assert number(visitor) == f"{i} / {count}"
        whole(visitor)
        if i < count:
            visitor.page.keyboard.press("ArrowRight")
    assert visitor.page.locator(".st-key-practice :is(.verdict, .soft)").is_visible() == any(
        not one.apart for one in of_stage(slug)
    )
    visitor.page.set_viewport_size({"width": 1920, "height": 1080})
    visitor.settle()
    whole(visitor)
    seen = visitor.page.evaluate(SEEN)
    assert access.grave(visitor) == []
    assert seen["zoom"] == 1.5 and 1700 <= seen["content"] <= 1800
    turn(visitor, "ArrowRight")
    following = STOPS[STOPS.index(slug) + 1 :] or [slug]  # after the last there is nothing
    visitor.page.wait_for_function("slug => location.pathname.endsWith(slug)", arg=following[0])


@pytest.mark.thorough
def test_labs_are_shown_whole(visit) -> None:
    """In Chinese, as each opens; and by the first key, the second slide."""
    visitor = visit(width=1280, height=720, locale="zh-CN")
    for slug in some(LABS):
        visitor.open(slug, present=1, lang="zh")
        assert number(visitor) == f"1 / {slides_for_a_class(slug)}"
        whole(visitor)
    turn(visitor, "ArrowRight")
    assert number(visitor).startswith("2 / ")
    whole(visitor)
    assert access.grave(visitor) == []


def test_keys_begin_reveal_turn_and_leave_and_the_notes_follow(visit) -> None:
    visitor = visit().open("attention")
    page = visitor.page
    turn(visitor, "p")
    page.wait_for_selector(".slides .says")
    assert "present=1&slide=1" in visitor.query
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    notes.wait_for_function("() => document.getElementById('says')?.textContent.startsWith('Each token makes three')")
    assert "Then: Query · key" in notes.locator("#then").inner_text()

    assert page.locator(".st-key-skip").count() == 1
    turn(visitor, " ")
    assert page.locator(".st-key-skip").count() == 0 and page.locator(".answer").inner_text()
    turn(visitor, "ArrowRight")
    assert "show=scores" in visitor.query and "slide=2" in visitor.query
    assert page.locator(".slides .says sub").inner_text() == "k"  # √d_k, as it is printed
    assert not page.locator(".st-key-predict").is_visible()  # it was answered on the slide before
    notes.wait_for_function("() => document.getElementById('says').textContent.startsWith('Query · key')")
    notes.keyboard.press("PageDown")  # the second window turns, too
    page.wait_for_function("() => location.search.includes('slide=3')")
    visitor.settle()

    # A picture that has the focus keeps its arrows; Escape gives it up, and then leaves.
    page.locator(".st-key-matrix [tabindex='0']").first.focus()
    turn(visitor, "ArrowRight")
    assert "slide=3" in visitor.query and "k=" in visitor.query
    turn(visitor, "Escape")
    turn(visitor, "Escape")
    assert "present" not in visitor.query and "slide" not in visitor.query
    notes.close()


@pytest.mark.thorough
def test_what_if_is_asked_before_a_class_and_the_curve_is_seen_whole(visit) -> None:
    visitor = visit(width=1920, height=1080).open("overview", present=1, guess="skip")
    page = visitor.page
    page.mouse.move(960, 1060)
    page.locator(".st-key-what_if .more").click()
    page.locator(".st-key-what_if button", has_text="head muted").click()
    visitor.settle()
    assert "what=mute" in visitor.query
    page.evaluate(FITTED)
    whole(visitor)
    assert page.locator(".st-key-what_if").get_by_text("1 / 12").is_visible()
    turn(visitor, "PageDown")
    assert not page.locator(".st-key-what_if").is_visible()
    assert page.locator(".depth").evaluate("curve => curve.scrollWidth - curve.clientWidth") <= 0


def test_a_clicker_and_the_arrows_turn_wherever_the_focus_is(visit) -> None:
    """A clicked picture has its arrows, but no key of a clicker; a button has neither, and a new sentence no focus."""
    visitor = visit().open("attention", present=1, guess="skip")
    page = visitor.page
    cell = page.locator(".st-key-matrix [tabindex='0']").first
    box = cell.bounding_box()
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.7 * box["height"])
    visitor.settle()
    chosen = {part for part in visitor.query.split("&") if part[:2] in ("q=", "k=")}
    assert chosen
    for key, slide in (("PageDown", 2), ("PageDown", 3), ("PageUp", 2)):
        cell.focus()
        turn(visitor, key)
        assert f"slide={slide}" in visitor.query and chosen <= {*visitor.query.split("&")}
    page.locator(".sentence .open").focus()
    turn(visitor, "ArrowRight")
    assert "slide=3" in visitor.query
    page.locator(".sentence .open").click()
    page.locator(".sentence textarea").fill("The dog bit the man.")
    page.keyboard.press("ArrowLeft")
    visitor.settle()
    assert "slide=3" in visitor.query  # whoever types moves in what they type
    with visitor.answered():
        page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement === document.body")
    turn(visitor, "ArrowRight")
    assert "slide=4" in visitor.query


def test_a_slide_is_turned_over_from_a_picture_to_its_number(visit) -> None:
    visitor = visit().open("attention", present=1, slide=3, guess="skip")
    shown = {name: visitor.page.locator(f".st-key-{name}") for name in ("matrix", "derivation")}
    seen = []
    for key in ("f", "f", "f", "PageUp"):  # the slide before is about a number
        turn(visitor, key)
        seen.append([name for name, part in shown.items() if part.is_visible()])
    assert seen == [["derivation"], ["matrix"], ["derivation"], ["derivation"]]


def test_space_in_the_notes_reveals_at_each_stop(visit) -> None:
    visitor = visit().open("position", present=1)
    page = visitor.page
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    notes.wait_for_function("() => document.getElementById('says')?.textContent")
    page.bring_to_front()  # behind another window a frame takes a second
    for stop in ("position", "input"):
        page.wait_for_function("stop => location.pathname.endsWith(stop)", arg=stop)
        page.wait_for_selector(".st-key-skip button")
        visitor.settle()
        notes.keyboard.press(" ")
        page.wait_for_selector(".st-key-skip button", state="detached")
        visitor.settle()
        for i in range(2, slides_for_a_class(stop) + 2):
            notes.keyboard.press("PageDown")
            page.wait_for_function(f"() => !location.search.includes('slide={i - 1}')")
    notes.close()


@pytest.mark.thorough
def test_claims_are_projected_and_the_key_does_nothing_where_nothing_can_be(visit) -> None:
    visitor = visit(width=1920, height=1080)
    visitor.before(WRITTEN)
    visitor.open("claims", lang="en")
    turn(visitor, "p")
    assert "present=1" in visitor.query and visitor.sideways() <= 0
    assert visitor.page.evaluate(SMALL) == []
    turn(visitor, "Escape")
    assert "present" not in visitor.query
    asked = visitor.open("glossary", lang="en").query
    turn(visitor, "p")
    assert visitor.query == asked
    offered = visitor.page.locator(".st-key-begin_class button")
    ready = [one.inner_text() for one in offered.all() if one.is_enabled()]
    assert "Tour" in ready and not any("Present" in text for text in ready)


def test_going_back_from_a_stop_is_to_the_last_slide_before_it(visit) -> None:
    visitor = visit().open("heads", present=1)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.wait_for_function("() => location.pathname.endsWith('attention')")
    visitor.settle()
    assert number(visitor) == f"{len(slides_of('attention'))} / {slides_for_a_class('attention')}"


@pytest.mark.thorough
def test_a_tour_goes_on_where_it_was_left(visit) -> None:
    visitor = visit().open("overview")
    page, total = visitor.page, len(way("short", "overview"))
    page.locator(".st-key-begin .begin button").first.click()
    visitor.settle()
    assert number(visitor) == f"1 / {total}"
    outlined = "key => getComputedStyle(document.querySelector(`.st-key-${key}`)).outlineStyle"
    page.locator(".slides .next").click()
    page.wait_for_function("() => location.pathname.endsWith('tokens')")
    visitor.settle()
    assert number(visitor) == f"2 / {total}" and visitor.sideways() == 0
    assert page.evaluate(outlined, "ruler") == "solid" and page.evaluate(outlined, "derivation") == "none"
    assert access.grave(visitor) == []
    visitor.open("output")
    page.locator(".st-key-begin_class button", has_text="Tour").click()
    page.locator(".begin button", has_text="go on at Tokens").click()
    page.wait_for_function("() => location.pathname.endsWith('tokens')")
    page.wait_for_selector(".slides .place")
    visitor.settle()
    assert number(visitor) == f"2 / {total}"
    page.locator(".slides .leave").click()
    visitor.settle()
    assert "tour" not in visitor.query


def test_an_ordinary_wide_screen_has_a_wider_page_and_typing_turns_nothing(visit) -> None:
    visitor = visit(width=1920, height=1080).open("claims")
    width = visitor.page.evaluate(
        "document.querySelector('[data-testid=stMainBlockContainer]').getBoundingClientRect().width"
    )
    assert 1380 <= width <= 1420
    box = visitor.page.locator("[data-at=find]")
    box.click()
    visitor.page.keyboard.type("p n")
    visitor.settle()
    assert box.input_value() == "p n" and "present" not in visitor.query
