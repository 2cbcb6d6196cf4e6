"""What other browsers do otherwise, done to Chromium: a picture must not notice."""

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


def test_an_enlarged_picture_is_clicked_where_the_pointer_is(visit) -> None:
    """A presenter's matrix on a large screen: the same click selects the same cell, and its canvas is as sharp."""
    chosen = []
    for script in ("", AS_WEBKIT_MEASURES):
        visitor = visit(width=1920, height=1080)
        visitor.page.add_init_script(script)
        visitor.open("attention", present=1, slide=2, guess="skip")
        canvas = visitor.page.locator(".st-key-matrix canvas.marks")
        box = canvas.bounding_box()
        visitor.page.mouse.click(box["x"] + 0.2 * box["width"], box["y"] + 0.7 * box["height"])
        visitor.settle()
        assert "q=" in visitor.query and "k=" in visitor.query
        chosen.append((visitor.query, canvas.evaluate("canvas => canvas.width")))
    (selected, sharp), (also, as_sharp) = chosen
    assert selected == also
    assert abs(sharp - as_sharp) <= 2  # what is fitted to the window may end a pixel apart
