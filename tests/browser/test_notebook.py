"""The widgets as browsers see them: as anywidget runs their module, and saved, opened from the disk."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from core import Capture, attention, capture, compare, follow, heads
from core.notebook.widgets import Widget
from tests.models import loaded

CAT = "The cat sat on the mat."

# A model as anywidget hands it to a module: what travels as bytes comes as a DataView, and Python is asked by `said`.
HOST = """async ({ esm, traits }) => {
  const view = (data) => new DataView(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
  const own = (pictures) => Object.fromEntries(
    Object.entries(pictures).map(([name, data]) => [name, typeof data === "string" ? view(data) : data]));
  const values = { ...traits, pictures: own(traits.pictures) };
  const heard = new Map();
  const fire = (name) => (heard.get(name) ?? []).forEach((callback) => callback());
  const model = {
    get: (name) => values[name],
    set(name, value) { values[name] = value; fire(`change:${name}`); },
    on: (event, callback) => heard.set(event, [...(heard.get(event) ?? []), callback]),
    off: (event, callback) => heard.set(event, heard.get(event).filter((other) => other !== callback)),
    async save_changes() {
      const pictures = await window.said(values.state);
      if (pictures) model.set("pictures", own(pictures));
    },
  };
  const { default: widget } = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const el = document.body.appendChild(document.createElement("div"));
  const end = widget.render({ model, el });
  Object.assign(window, { model, end, left: () => [...heard.values()].flat().length + el.childElementCount });
}"""
COLOURS = """(canvas) => new Set(new Uint32Array(
  canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size"""


@pytest.fixture(scope="module")
def run() -> Capture:
    return capture(loaded("minilm"), CAT)


@pytest.fixture
def alone(browser: Browser) -> Iterator[Page]:
    """A page without a network; whatever goes wrong in it, or leaves the machine, fails the test."""
    context = browser.new_context(offline=True, color_scheme="light")
    page, faults = context.new_page(), []
    page.on("request", lambda request: faults.append(request.url) if request.url.startswith("http") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert not faults


def as_sent(widget: Widget) -> dict[str, Any]:
    sent = {
        name: b64encode(data).decode() if isinstance(data, bytes) else data for name, data in widget.pictures.items()
    }
    return {"params": widget.params, "state": widget.state, "pictures": sent}


def hosted(page: Page, widget: Widget, folder: Path) -> None:
    """Runs the widget's module in a page, with Python behind it."""

    def said(state: dict[str, Any]) -> dict[str, Any] | None:
        before = widget.pictures
        widget.state = state
        return as_sent(widget)["pictures"] if widget.pictures is not before else None

    (folder / "page.html").write_text("<!doctype html><link rel='icon' href='data:,'><body></body>", encoding="utf-8")
    page.goto((folder / "page.html").as_uri())
    page.expose_function("said", said)
    page.evaluate(HOST, {"esm": widget._esm, "traits": as_sent(widget)})


def test_a_selection_comes_to_python_and_back(alone: Page, run: Capture, tmp_path: Path) -> None:
    widget = heads(run)
    hosted(alone, widget, tmp_path)
    alone.locator("[data-at='tile-3.9']").click()
    alone.locator(".token[data-at=q5]").click()
    alone.wait_for_function("() => model.get('state').q === 5")
    assert (widget.selection["layer"], widget.selection["head"], widget.selection["query"]) == (2, 8, 5)
    alone.evaluate("model.set('state', { ...model.get('state'), layer: 1, head: 3 })")  # as Python would
    assert alone.locator("[data-at='tile-1.3']").get_attribute("aria-pressed") == "true"


def test_it_is_as_dark_as_the_notebook(alone: Page, run: Capture, tmp_path: Path) -> None:
    hosted(alone, attention(run, 2, 8), tmp_path)
    paper = lambda: alone.locator(".see-through").evaluate("(box) => getComputedStyle(box).backgroundColor")  # noqa: E731
    assert paper() == "rgb(251, 250, 247)"
    alone.evaluate("document.body.dataset.jpThemeLight = 'false'")
    alone.wait_for_function(
        "() => getComputedStyle(document.querySelector('.see-through')).backgroundColor.endsWith('26)')"
    )
    alone.evaluate("end()")
    assert alone.evaluate("left()") == 0


def test_a_number_is_pressed_and_python_answers(alone: Page, run: Capture, tmp_path: Path) -> None:
    widget = follow(run, "encoder.2.attention.weights[8,5,6]")
    hosted(alone, widget, tmp_path)
    alone.locator(".door").first.click()
    alone.locator(".way li").nth(1).wait_for()
    assert widget.selection["cell"].startswith("encoder.2.attention.scores[8,5,")
    assert widget.selection["cell"] in alone.locator(".where").inner_text()
    alone.locator(".crumb").first.click()
    alone.locator(".way").wait_for(state="detached")
    assert widget.selection == {"cell": "encoder.2.attention.weights[8,5,6]"}


@pytest.mark.parametrize("name", ["heads", "layer", "attention", "compare"])
def test_a_saved_file_draws_without_a_network(alone: Page, run: Capture, tmp_path: Path, name: str) -> None:
    other = capture(loaded("minilm"), "The dog sat on the mat.")
    made = {
        "heads": lambda: heads(run),
        "layer": lambda: heads(run, layer=2),
        "attention": lambda: attention(run, 2, 8),
        "compare": lambda: compare(run, other, "encoder.2.attention.weights"),
    }
    made[name]().save(tmp_path / "x.html")
    alone.goto((tmp_path / "x.html").as_uri())
    alone.wait_for_function("() => window.drawn")
    assert alone.locator("canvas").first.evaluate(COLOURS) > 5


def test_a_saved_derivation_opens_its_steps(alone: Page, run: Capture, tmp_path: Path) -> None:
    follow(run, "encoder.2.attention.weights[8,5,6]").save(tmp_path / "x.html")
    alone.goto((tmp_path / "x.html").as_uri())
    for press in (1, 2):
        alone.locator(".line .door, code .door").first.click()
        assert alone.locator(".way li").count() == press + 1
    assert "notebook" in alone.locator(".note").inner_text() and not alone.locator(".door").count()
    assert alone.title() == CAT
