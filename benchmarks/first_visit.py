"""What a class waits for that opens the site for the first time, all on one line: the first picture, the next page.

    python -m benchmarks.first_visit --line 20 --people 30 --slower 4

One Chromium, behind a line that carries this one's part, its CPU held to a phone's; the server is not what is slow
here (see `loadtest`). The bytes are those that the line carried before the first picture. Chromium's own slow network
is not asked: it counts a compressed message of a WebSocket as long as it was before.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright

from benchmarks import loadtest
from benchmarks.browser import CHROMIUM, FLAGS

BROWSER = shutil.which("chromium-headless-shell") or CHROMIUM
LATENCY = 0.02  # seconds until what is asked has arrived
PIECE = 4096  # bytes that pass at once
PICTURE = """(title) => {
  const shadows = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
  const drawn = (shape) => shape.getBoundingClientRect().width > 200 && shape.getBoundingClientRect().height > 100;
  const shapes = shadows.flatMap((root) => [...root.querySelectorAll("canvas, svg")]);
  return document.title.startsWith(title) && shapes.some(drawn);
}"""


class Line:
    """A line to a site: what comes back over all its connections shares so many bytes a second."""

    def __init__(self, url: str, rate: float):
        self.site, self.rate = urlsplit(url), rate
        self.carried = 0
        self.free = 0.0  # when the last piece is through

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, asks = await asyncio.open_connection(self.site.hostname, self.site.port)
        await asyncio.gather(self.carry(reader, asks, self.ask), self.carry(answers, writer, self.answer))

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wait) -> None:
        try:
            while piece := await reader.read(PIECE):
                await wait(len(piece))
                writer.write(piece)
                await writer.drain()
        except ConnectionError:
            pass  # the browser, or the site, has gone
        finally:
            writer.close()

    async def ask(self, _: int) -> None:
        await asyncio.sleep(LATENCY)

    async def answer(self, size: int) -> None:
        now = time.perf_counter()
        self.free = max(self.free, now) + size / self.rate
        await asyncio.sleep(self.free - now)
        self.carried += size


@contextmanager
def line_to(url: str, rate: float) -> Iterator[tuple[str, Line]]:
    """The address of the site behind such a line of `rate` bytes a second, and the line."""
    line, loop = Line(url, rate), asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(line.connect, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", line
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def warm(url: str) -> None:
    """Have the site pack by Brotli what a visit asks for: it does so beside, once somebody has asked."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page()
        asked: list[str] = []
        page.on("requestfinished", lambda request: asked.append(request.url) if request.url.endswith(".js") else None)
        page.goto(f"{url}/overview?lang=en", wait_until="networkidle")
        browser.close()
    for script in asked:
        ask = Request(script, headers={"Accept-Encoding": "gzip, br"})
        while urlopen(ask).headers.get("Content-Encoding") == "gzip":
            time.sleep(0.1)


def measure(url: str, line: float = 20, people: int = 30, slower: float = 4, plain: bool = False) -> dict[str, float]:
    """Seconds to the first picture and to the next page's, and the kilobytes before the first; `line` in Mbit/s. Over
    TLS, that is, whatever `url` is: there a browser takes Brotli; `plain` without."""
    if not plain:
        warm(url)
    rate = line * 1e6 / 8 / people
    with line_to(url, rate) as (address, carrier), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        page = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-US")
        devtools = page.context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        if not plain:
            devtools.send("Network.enable")
            devtools.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": "gzip, deflate, br"}})
        start = time.perf_counter()
        page.goto(f"{address}/overview?lang=en", wait_until="commit")
        page.wait_for_function(PICTURE, arg="Overview", timeout=120_000)
        first, before = time.perf_counter() - start, carrier.carried
        page.wait_for_load_state("networkidle")
        page.wait_for_selector("[data-testid=stPageLink-NavLink][href*=attention]", state="attached")
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
    parser.add_argument("--plain", action="store_true", help="without TLS, where browsers take gzip alone")
    args = parser.parse_args()
    held = {"line": args.line, "people": args.people, "slower": args.slower, "plain": args.plain}
    if args.url:
        print(measure(args.url, **held))
        return
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        loadtest.at_rest(server.pid)
        print(measure(server.url, **held))


if __name__ == "__main__":
    main()
