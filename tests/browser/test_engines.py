"""What other browsers do otherwise, done to Chromium: a picture must not notice."""

import pytest

pytestmark = pytest.mark.thorough

# WebKit does not say how much an element is enlarged, and measures it as if it were not.
AS_WEBKIT_MEASURES = """(() => {
  const zoom = Object.getOwnPropertyDescriptor(Element.prototype, "currentCSSZoom").get;
  delete Element.prototype.currentCSSZoom;
  const measure = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () {
    const { x, y, width, height } = measure.call(this);
    return new DOMRect(...[x, y, width, height].map((length) => length / zoom.call(this)));
  };
})()"""


def at_rest(visitor, element) -> dict:
    """Where an element stands once what is fitted to the window has found its size."""
    box = None
    while box != (box := element.bounding_box()):
        visitor.page.wait_for_timeout(200)
    return box


def test_an_enlarged_picture_is_clicked_where_the_pointer_is(visit) -> None:
    """A presenter's matrix on a large screen: the same click selects the same cell, and its canvas is as sharp."""
    chosen = []
    for script in ("", AS_WEBKIT_MEASURES):
        visitor = visit(width=1920, height=1080)
        visitor.before(script)
        visitor.open("attention", present=1, slide=3, guess="skip")
        canvas = visitor.page.locator(".st-key-matrix canvas.marks")
        box = at_rest(visitor, canvas)
        visitor.page.mouse.click(box["x"] + 0.22 * box["width"], box["y"] + 0.7 * box["height"])
        visitor.settle()
        assert "q=" in visitor.query and "k=" in visitor.query
        chosen.append((visitor.query, canvas.evaluate("canvas => canvas.width")))
    (selected, sharp), (also, as_sharp) = chosen
    assert selected == also
    assert abs(sharp - as_sharp) <= 2  # what is fitted to the window may end a pixel apart


# WebKit refuses to write the address for the 101st time within ten seconds.
AS_WEBKIT_REFUSES = """(() => {
  const times = [];
  for (const how of ["replaceState", "pushState"]) {
    const write = History.prototype[how];
    History.prototype[how] = function (...given) {
      while (times.length && times[0] < performance.now() - 10000) times.shift();
      if (times.push(performance.now()) > 100) throw new DOMException(`Attempt to use history.${how}()`);
      return write.apply(this, given);
    };
  }
  window.timesWritten = () => times.length;
})()"""

# As fast as a key repeats, and there is a move at each; in the page, for asked from here a press takes twice as long.
HELD = """async (marks) => {
  for (let i = 0; i < 120; i++) {
    const key = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][i % 4];
    marks.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
    await new Promise((later) => setTimeout(later, 25));
  }
}"""


def test_a_key_that_is_held_does_not_wear_the_address_out(visit) -> None:
    visitor = visit()
    visitor.before(AS_WEBKIT_REFUSES)
    visitor.open("attention", guess="skip", q=1, k=1)
    marks = visitor.page.locator(".st-key-matrix .marks")
    marks.focus()
    marks.evaluate(HELD)
    assert 5 <= visitor.page.evaluate("timesWritten()") <= 90
    visitor.page.keyboard.press("ArrowRight")
    visitor.settle()
    assert "q=1&k=2" in visitor.query and "k=2" in visitor.page.evaluate("location.search")


# Firefox that resists fingerprinting gives back noise for what was painted.
AS_FIREFOX_HIDES = """(() => {
  const read = CanvasRenderingContext2D.prototype.getImageData;
  CanvasRenderingContext2D.prototype.getImageData = function (...box) {
    const image = read.apply(this, box);
    return new ImageData(image.data.map((_, i) => (i * 97 + 13) % 256), image.width, image.height);
  };
})()"""
COLORS = {
    "#0f6b6b": [15, 107, 107],
    "teal": [0, 128, 128],
    "rgb(1 2 3 / 50%)": [1, 2, 3],
    "hsl(120 100% 50%)": [0, 255, 0],
    "color-mix(in srgb, red 50%, blue)": [128, 0, 128],
}


def test_colours_are_those_of_the_theme_though_nothing_painted_can_be_read(visit) -> None:
    visitor = visit()
    visitor.before(AS_FIREFOX_HIDES)
    visitor.open("attention", guess="skip")
    read = "async colors => { const { rgb } = await seeThroughKit.promise; return colors.map((color) => rgb(color)); }"
    assert visitor.page.evaluate(read, list(COLORS)) == list(COLORS.values())
