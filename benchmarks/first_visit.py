"""What a class waits for that opens the site for the first time, all on one line: the first picture, the next page.

    python -m benchmarks.first_visit --line 20 --people 30 --slower 4

One Chromium, its network held to this one's part of the line and its CPU to a phone's; the server is not what is slow
here (see `loadtest`). The bytes are those that came before the first picture.
"""

from __future__ import annotations

import argparse
import shutil
import time

from playwright.sync_api import sync_playwright

from benchmarks import loadtest
from benchmarks.browser import CHROMIUM, FLAGS

BROWSER = shutil.which("chromium-headless-shell") or CHROMIUM
LATENCY = 20  # ms
PICTURE = """(title) => {
  const shadows = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
  const drawn = (shape) => shape.getBoundingClientRect().width > 200 && shape.getBoundingClientRect().height > 100;
  const shapes = shadows.flatMap((root) => [...root.querySelectorAll("canvas, svg")]);
  return document.title.startsWith(title) && shapes.some(drawn);
}"""


def measure(url: str, line: float = 20, people: int = 30, slower: float = 4) -> dict[str, float]:
    """Seconds to the first picture and to the next page's, and the kilobytes before the first; `line` in Mbit/s."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        held = page.context.new_cdp_session(page)
        received: list[float] = []
        held.on("Network.dataReceived", lambda event: received.append(event["encodedDataLength"]))
        held.send("Network.enable")
        rate = line * 1e6 / 8 / people  # bytes a second
        limits = {"offline": False, "latency": LATENCY, "downloadThroughput": rate, "uploadThroughput": rate}
        held.send("Network.emulateNetworkConditions", limits)
        held.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        start = time.perf_counter()
        page.goto(f"{url}/overview?lang=en", wait_until="commit")
        page.wait_for_function(PICTURE, arg="Overview", timeout=120_000)
        first, before = time.perf_counter() - start, sum(received)
        page.wait_for_load_state("networkidle")
        rest = time.perf_counter() - start
        start = time.perf_counter()
        page.evaluate("""() => [...document.querySelectorAll("[data-testid=stPageLink-NavLink]")]
            .find((link) => link.pathname.endsWith("/attention")).click()""")
        page.wait_for_function(PICTURE, arg="Attention", timeout=120_000)
        following = time.perf_counter() - start
        browser.close()
    return {"first_s": first, "kilobytes": before / 1000, "rest_s": rest, "next_s": following}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a site that already runs and is warm; without it one is started")
    parser.add_argument("--line", type=float, default=20, help="Mbit/s that all share")
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--slower", type=float, default=4, help="times that a phone's CPU is slower")
    args = parser.parse_args()
    if args.url:
        print(measure(args.url, args.line, args.people, args.slower))
        return
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        loadtest.at_rest(server.pid)
        print(measure(server.url, args.line, args.people, args.slower))


if __name__ == "__main__":
    main()
