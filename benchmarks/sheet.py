"""The sheet in a Chromium whose processor is held back four times: its first picture, its bytes, its frames.

python -m benchmarks.sheet            against a site of its own
python -m benchmarks.sheet URL        against one that runs, for instance of another version beside it
"""

import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from benchmarks import loadtest
from benchmarks.browser import CHROMIUM, FLAGS

HELD_BACK = 4
CASES = ((9, "minilm"), (128, "minilm"), (512, "minilm"), (9, "smollm2"), (128, "smollm2"))

# Runs in the page: a hand that moves, an event a frame, and how long every frame took.
MOVED = """async (kind) => {
  const stage = [...document.querySelectorAll("*")].map((e) => e.shadowRoot?.querySelector(".sheet .stage"))
    .find(Boolean);
  const { left, top, width, height } = stage.getBoundingClientRect();
  const [x, y] = [left + 0.6 * width, top + 0.5 * height];
  const send = (type, i) => {
    const way = 140 * Math.sin(i / 9);
    if (kind === "rest") return;
    if (kind === "pan") window.dispatchEvent(new PointerEvent(type, { clientX: x + way, clientY: y + way / 4 }));
    else stage.dispatchEvent(new WheelEvent("wheel", {
      clientX: x, clientY: y, deltaY: i % 60 < 30 ? -8 : 8, ctrlKey: true, cancelable: true,
    }));
  };
  if (kind === "pan")
    stage.dispatchEvent(new PointerEvent("pointerdown", { clientX: x, clientY: y, button: 0, pointerType: "mouse" }));
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (let i = 0; i < 120; i++) {
    send("pointermove", i);
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  if (kind === "pan") window.dispatchEvent(new PointerEvent("pointerup", { clientX: x, clientY: y }));
  return frames.sort((a, b) => a - b);
}"""
DRAWN = "() => document.querySelector('.st-key-depth [data-drawn]')"
PICTURES = "() => document.querySelector('.st-key-sheet [data-drawn]')"


@contextmanager
def opened(slow: int) -> Iterator[Page]:
    with sync_playwright() as playwright:
        path = CHROMIUM or shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
        yield page
        browser.close()


def address(url: str, tokens: int, model: str, **more: str) -> str:
    text = "The cat sat on the mat." if tokens < 10 else " ".join(["the cat sat on a mat and saw"] * 99)
    text = " ".join(text.split()[: max(6, tokens - 2)])
    return f"{url}/overview?{urlencode({'lang': 'en', 'text': text, 'model': model, 'guess': 'skip', **more})}"


def measure(url: str, tokens: int, model: str) -> dict[str, float]:
    """Milliseconds from asking for a page whose capture is kept to the drawn sheet (best of three), the bytes that the
    browser was sent meanwhile, the site's own code too; and of 120 frames the median and the 95 %, at rest as well."""
    with opened(HELD_BACK) as page:
        sent: list[int] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))))
        waited = []
        for _ in range(3):
            start = time.perf_counter()
            sent.clear()
            page.goto(address(url, tokens, model))
            page.wait_for_function(PICTURES, timeout=90_000)
            waited.append(1000 * (time.perf_counter() - start))
            page.wait_for_function("() => window.seeThrough?.idle", timeout=90_000)
        found = {"open_ms": min(waited), "sent_kb": sum(sent) / 1e3}
        for kind in ("rest", "pan", "zoom"):
            page.goto(address(url, tokens, model, at="2,0,3"))
            page.wait_for_function(PICTURES, timeout=90_000)
            page.wait_for_timeout(2500)
            frames = page.evaluate(MOVED, kind)
            found |= {f"{kind}_ms": statistics.median(frames), f"{kind}_95_ms": frames[int(0.95 * len(frames))]}
    return found


def opens(url: str, rounds: int = 5) -> float:
    """Milliseconds until the overview has drawn how alike two tokens are, as it did before there was a sheet, too."""
    with opened(1) as page:
        waited = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            page.goto(address(url, 9, "minilm"))
            page.wait_for_function(DRAWN, timeout=60_000)
            waited.append(1000 * (time.perf_counter() - start))
            page.wait_for_function("() => window.seeThrough?.idle", timeout=60_000)
    return statistics.median(waited[1:])


def report(line, url: str) -> None:
    """A line each for `python -m benchmarks`."""
    for tokens, model in CASES:
        found, long = measure(url, tokens, model), tokens > 9
        what = f"the sheet, {tokens} tokens of {model}, CPU ÷ {HELD_BACK}"
        line(f"{what}: open", found["open_ms"], HELD_BACK * (2000 if long else 1000), "ms")
        line(f"{what}: sent", found["sent_kb"], 1500 if long else 300, "kB")
        for kind in ("pan", "zoom"):
            line(f"{what}: {kind}, median", found[f"{kind}_ms"], 16.7, "ms")
            line(f"{what}: {kind}, 95 %", found[f"{kind}_95_ms"], 33.4, "ms")


def main(arguments: list[str]) -> int:
    def line(what: str, found: float, budget: float, unit: str) -> None:
        print(f"{what:58} {found:9.2f} {unit:4} budget {budget:g}{'' if found <= budget else '  OVER'}", flush=True)

    if arguments:
        print(f"{arguments[0]}: the overview opens in {opens(arguments[0]):.0f} ms")
        return 0
    with loadtest.serve() as server:
        report(line, server.url)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
