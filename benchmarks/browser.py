"""What a visitor waits for, in a real Chromium: a click to the derivation, a control to the redrawn picture."""

import shutil
import statistics
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# Runs in the page: do something, then wait until a condition holds; milliseconds between.
TIMED = """async ([act, done]) => {
  const shadows = () => [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
  const find = (css) => shadows().map((root) => root.querySelector(css)).find(Boolean);
  const see = window.seeThrough, start = performance.now();
  const finished = new Function("find", "see", "before", "return " + done);
  const before = find(".derivation").dataset.id;
  new Function("find", "see", act)(find, see);
  while (!finished(find, see, before)) {
    if (performance.now() - start > 20000) return NaN;
    await new Promise((r) => requestAnimationFrame(r));
  }
  return performance.now() - start;
}"""
SELECT = "see.select(%s)"
DERIVED = "find('.derivation').dataset.id !== before"
DRAWN = "!see.lacks.length"


def measure(url: str, tokens: int, rounds: int = 12) -> dict[str, float]:
    """Median milliseconds of a click on a cell, of another head and of another layer, at so many tokens."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, bypass_csp=True)  # TIMED evaluates texts
        text = " ".join(["cat"] * (tokens - 2))
        page.goto(f"{url}/attention?{urlencode({'lang': 'en', 'text': text, 'guess': 'skip'})}")
        page.wait_for_function("() => window.seeThrough?.idle", timeout=60_000)
        page.wait_for_timeout(1500)
        n = tokens - 1
        result = {
            "tokens": tokens,
            "cell_ms": median(page, [f"{{q: {(i * 7) % n}, k: {(i * 3 + 1) % n}}}" for i in range(rounds)], DERIVED),
            "head_ms": median(page, [f"{{head: {i % 12 + 1}}}" for i in range(rounds)], DRAWN),
            "layer_ms": median(page, [f"{{layer: {i % 6 + 1}}}" for i in range(rounds)], DRAWN),
        }
        browser.close()
    return result


def median(page: Page, selections: list[str], done: str) -> float:
    times = []
    for selection in selections:
        times.append(page.evaluate(TIMED, [SELECT % selection, done]))
        page.wait_for_timeout(150)
    return statistics.median(times)
