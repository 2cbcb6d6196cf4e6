"""The head view against BertViz's, and one layer in a notebook against CircuitsVis's, in one run: how long from a
capture to what is sent, how much that is, and how long a hover takes in a real Chromium.

The two are not among the requirements, because they bring boto3, IPython and more along, of which they use three names
here: `make bench` installs them alone (`pip install --no-deps`), and stand-ins have the names.
"""

import statistics
import sys
import time
from importlib import import_module, metadata
from importlib.util import find_spec
from types import ModuleType
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.browser import CHROMIUM, FLAGS
from core import Capture, capture, heads, load_model
from core.figures.lines import Grid, Lines, LinesWords, Tile, four_digits
from core.figures.picture import pooled
from core.views.heads import HeadsView, heads_view, taps

WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "dogs", "ran", "home"]
SENT = 640_000  # bytes of weights that are sent at once, as in pages/stages/heads/picture.py
HOVER = """async () => {
  const shadows = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
  const root = shadows.find((one) => one.querySelector(".lines"));
  const tokens = [...root.querySelectorAll(".token")];
  const times = [];
  for (let i = 0; i < 60; i++) {
    const token = tokens[(i * 7) % tokens.length];
    await new Promise((ready) => requestAnimationFrame(ready));
    const start = performance.now();
    token.dispatchEvent(new PointerEvent("pointerenter"));
    times.push(performance.now() - start);
    token.dispatchEvent(new PointerEvent("pointerleave"));
  }
  return times.sort((a, b) => a - b);
}"""


def sentence(tokens: int) -> str:
    return " ".join(WORDS[i % len(WORDS)] for i in range(tokens - 2))


def captured(tokens: int) -> Capture:
    return capture(load_model("minilm"), sentence(tokens), only=taps("encoder"))


def ours(run: Capture) -> tuple[float, int]:
    """Milliseconds from a capture to what the browser is sent, and its bytes: every head where they are small, else
    the one that is looked at; every head in small; the measures."""
    start = time.perf_counter()
    view = heads_view(run, "encoder")
    sent = [picture(view).pack(), grid(view).pack()]
    return (time.perf_counter() - start) * 1000, sum(map(len, sent))


def picture(view: HeadsView) -> Lines:
    assert view.weights is not None
    n = len(view.queries)
    small = view.layers * view.heads * n * n * 2 <= SENT
    places = np.ndindex(view.layers, view.heads) if small else [(2, 8)]
    planes = {f"{i + 1}.{j + 1}": four_digits(view.weights[i, j]) for i, j in places}
    words = LinesWords(*[""] * 16)
    return Lines("lines", planes, view.tokens, view.key_tokens, view.heads, words, {}, "heads")


def grid(view: HeadsView) -> Grid:
    assert view.weights is not None
    small, ranges = pooled(view.weights.reshape(-1, *view.weights.shape[2:]))
    tiles = [Tile(i + 1, j + 1) for i, j in np.ndindex(view.layers, view.heads)]
    measures = {name: [float(v) for v in values.ravel()] for name, values in view.measures.items()}
    rows, columns = small.shape[1:]
    return Grid(tiles, rows, columns, ranges, measures, view.chance, view.heads, {}, small)


def bertviz(run: Capture, layers: int = 6) -> tuple[float, int] | None:
    """The same of BertViz's head view with so many layers; None where it is not installed."""
    try:
        stand_in()
        head_view = import_module("bertviz").head_view
    except ImportError:
        return None
    import torch

    weights = [torch.tensor(run[f"encoder.{i}.attention.weights"])[None] for i in range(layers)]
    tokens = [token.text for token in run.tokens]
    start = time.perf_counter()
    page = head_view(weights, tokens, html_action="return")
    return (time.perf_counter() - start) * 1000, len(page.data.encode())


def circuitsvis(run: Capture, layer: int = 2) -> tuple[float, int] | None:
    """The same of CircuitsVis' picture of the heads of one layer, which fetches its code from a network besides; None
    where it is not installed."""
    try:
        stand_in()
        attention_heads = import_module("circuitsvis.attention").attention_heads
    except ImportError:
        return None
    tokens = [token.text for token in run.tokens]
    start = time.perf_counter()
    page = str(attention_heads(tokens=tokens, attention=run[f"encoder.{layer}.attention.weights"]))
    return (time.perf_counter() - start) * 1000, len(page.encode())


def widget(run: Capture, layer: int = 2) -> tuple[float, int]:
    """The same of ours in a notebook."""
    start = time.perf_counter()
    sent = [data if isinstance(data, bytes) else str(data).encode() for data in heads(run, layer).pictures.values()]
    return (time.perf_counter() - start) * 1000, sum(map(len, sent))


def stand_in() -> None:
    """What the head views use of packages that may not be installed."""
    if "importlib_metadata" not in sys.modules and find_spec("importlib_metadata") is None:
        about = ModuleType("importlib_metadata")
        about.version = metadata.version  # type: ignore[attr-defined]
        sys.modules["importlib_metadata"] = about
    try:
        import_module("IPython.display")
    except ImportError:
        package, display = ModuleType("IPython"), ModuleType("IPython.display")
        kind = type("Shown", (), {"__init__": lambda self, data: setattr(self, "data", data)})
        display.HTML = display.Javascript = kind  # type: ignore[attr-defined]
        display.display = lambda *_: None  # type: ignore[attr-defined]
        package.display = display  # type: ignore[attr-defined]
        sys.modules |= {"IPython": package, "IPython.display": display}


def measure(tokens: int, layers: int = 6) -> dict[str, float]:
    """Both, of one capture; the best of three for ours. Megabytes are of 10⁶."""
    run = captured(tokens)
    found = min(ours(run) for _ in range(3))
    theirs = bertviz(run, layers)
    mine = {"ms": found[0], "mb": found[1] / 1e6}
    return mine if theirs is None else {**mine, "bertviz_ms": theirs[0], "bertviz_mb": theirs[1] / 1e6}


def browsed(url: str, tokens: int) -> dict[str, float]:
    """In Chromium: from asking for the page to its drawn lines, the second time a sentence is opened (the server has
    been warmed, the capture is kept) and, of 60 hovers over 12 heads, the median and the slowest but two."""
    query = urlencode({"lang": "en", "text": sentence(tokens), "guess": "skip", "pin": "none", "also": "layer"})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        opened = []
        for _ in range(3):
            start = time.perf_counter()
            page.goto(f"{url}/heads?{query}")
            page.wait_for_function("() => document.querySelector('.st-key-lines [data-drawn]')", timeout=60_000)
            opened.append((time.perf_counter() - start) * 1000)
            page.wait_for_function("() => window.seeThrough?.idle", timeout=60_000)
        times = page.evaluate(HOVER)
        browser.close()
    return {"open_ms": statistics.median(opened), "hover_ms": times[len(times) // 2], "slow_ms": times[-3]}


def report(line) -> None:
    """A line each for `python -m benchmarks`."""
    for tokens, layers, budget in ((9, 6, 500), (64, 6, 500), (512, 1, 2000)):
        found = measure(tokens, layers)
        line(f"heads, {tokens} tokens: from the capture to what is sent", found["ms"], budget, "ms")
        line(f"heads, {tokens} tokens: sent", found["mb"], 1, "MB")
        if "bertviz_mb" in found:
            of = "" if layers == 6 else f", {layers} layer of 6"
            print(f"  BertViz{of}: {found['bertviz_ms']:.0f} ms, {found['bertviz_mb']:.2f} MB", flush=True)
        else:
            print("  BertViz is not installed: pip install --no-deps bertviz==1.4.1", flush=True)
        run = captured(tokens)
        line(f"heads in a notebook, one layer, {tokens} tokens: made", widget(run)[0], budget, "ms")
        line(f"heads in a notebook, one layer, {tokens} tokens: sent", widget(run)[1] / 1e6, 1, "MB")
        if theirs := circuitsvis(run):
            print(f"  CircuitsVis: {theirs[0]:.0f} ms, {theirs[1] / 1e6:.2f} MB", flush=True)


if __name__ == "__main__":
    report(lambda what, found, budget, unit: print(f"{what:58} {found:9.2f} {unit:4} budget {budget:g}", flush=True))
