"""A laptop that sleeps, a server that is started anew: does the next click show the number that was clicked?

    python -m benchmarks.lost --asleep 140

Tabs of several pages stand open in a real Chromium. Their connection is cut for longer than Streamlit keeps a session,
or the server is stopped and another takes its place; then each tab is clicked once, and what it follows then is held
against a tab that opens the same address for the first time.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import BrowserContext, Page, sync_playwright

from benchmarks import loadtest
from benchmarks.browser import CHROMIUM, FLAGS

CLICKS = {
    "overview": {"q": 1, "k": 3},
    "embedding": {"pos": 3},
    "position": {"pos": 7},
    "input": {"pos": 3, "dim": 5},
    "layernorm": {"pos": 3, "dim": 7},
    "attention": {"q": 3, "k": 2},
    "translation": {"q": 2, "k": 1},
}
ASLEEP = 140  # seconds: `server.disconnectedSessionTTL` is 120
PATIENCE = 60_000  # ms until a tab must have come to rest: it reloads itself after some seconds without an answer
AT_REST = "() => window.seeThrough?.idle"
SAID = """() => {
  const roots = [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)];
  return roots.map((root) => root.querySelector(".derivation")?.textContent).find(Boolean) ?? "";
}"""


class Line:
    """A connection between browsers and a server that can be cut: bytes in, bytes out."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.server = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.whole, self.ends = True, set[socket.socket]()
        threading.Thread(target=self._answer, daemon=True).start()

    def cut(self) -> None:
        self.whole = False
        for end in list(self.ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.whole = True

    def _answer(self) -> None:
        while True:
            near, _ = self.door.accept()
            try:
                if not self.whole:
                    raise ConnectionError
                far = socket.create_connection(self.server)
            except OSError:
                near.close()
                continue
            self.ends |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := one.recv(1 << 16):
                other.sendall(said)
        for end in (one, other):
            self.ends.discard(end)
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def slept(url: str, seconds: float = ASLEEP) -> list[str]:
    """The pages that show another number than the one clicked, after so long without a connection."""
    line = Line(url)
    with tabs(line.url) as (context, open_tabs):
        line.cut()
        time.sleep(seconds)
        line.mend()
        return wrong(context, open_tabs, line.url)


def restarted() -> list[str]:
    """The same after the server was stopped and another took its place."""
    with contextlib.ExitStack() as first:
        server = first.enter_context(loadtest.serve())
        loadtest.warm(server.url)
        with tabs(server.url) as (context, open_tabs):
            first.close()
            with loadtest.serve(port=urlsplit(server.url).port) as other:
                return wrong(context, open_tabs, other.url)


@contextmanager
def tabs(url: str) -> Iterator[tuple[BrowserContext, dict[str, Page]]]:
    """A tab of each page, at rest."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
        yield (
            context,
            {slug: opened(context, f"{url}/{slug}?{urlencode({'lang': 'en', 'guess': 'skip'})}") for slug in CLICKS},
        )
        browser.close()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(AT_REST, timeout=PATIENCE)
    return page


def wrong(context: BrowserContext, open_tabs: dict[str, Page], url: str) -> list[str]:
    """The pages on which one click does not lead to the number that this address opens with."""
    found = []
    for slug, page in open_tabs.items():
        page.bring_to_front()
        page.evaluate("patch => seeThrough.select(patch)", CLICKS[slug])
        page.wait_for_timeout(500)
        with contextlib.suppress(Exception):
            page.wait_for_function(AT_REST, timeout=PATIENCE)
        page.wait_for_timeout(500)
        fresh = opened(context, page.url.replace(page.url.split(f"/{slug}")[0], url))
        kept = all(f"{name}={value}" in page.url for name, value in CLICKS[slug].items())
        if not kept or not page.evaluate(SAID) or page.evaluate(SAID) != fresh.evaluate(SAID):
            found.append(slug)
        fresh.close()
    return found


def main() -> int:
    """The command line: a line each; 1 where a number was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asleep", type=float, default=ASLEEP, help="seconds without a connection")
    args = parser.parse_args()
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        asleep = slept(server.url, args.asleep)
    print(f"after {args.asleep:g} s without a connection, wrong: {asleep or 'none'}", flush=True)
    anew = restarted()
    print(f"after a restart of the server, wrong: {anew or 'none'}", flush=True)
    return 1 if asleep or anew else 0


if __name__ == "__main__":
    sys.exit(main())
