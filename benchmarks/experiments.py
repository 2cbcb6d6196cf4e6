"""What trainings cost the pages: visitors click while as many networks are trained as may be, and more stand in line.

python -m benchmarks.experiments --visitors 50 --seconds 20
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from benchmarks import loadtest
from benchmarks.browser import CHROMIUM, FLAGS
from benchmarks.controls import CELL
from benchmarks.loadtest import Server, Visit
from pages.shared.server.trainings import AT_ONCE

LONG = {"my_layers": "8", "my_width": "128", "my_steps": "2000"}  # minutes of work
IN_LINE = 1


def measure(server: Server, visitors: int, seconds: float = 20, visit: Visit = CELL) -> dict[str, float]:
    """The visitors' times alone and beside the trainings, in ms; `steps` that were trained meanwhile."""
    options = {"url": server.url, "pid": server.pid, "visitors": visitors, "seconds": seconds, "visit": visit}
    alone = loadtest.measure(**options)
    with training(server.url) as tabs:
        before = steps(tabs)
        with ThreadPoolExecutor(1) as apart:  # Playwright has this thread's event loop
            beside = apart.submit(loadtest.measure, **options).result()
        trained = steps(tabs) - before
    return {"p95_ms": beside["p95_ms"], "p95_alone_ms": alone["p95_ms"], "steps": trained}


@contextmanager
def training(url: str) -> Iterator[list[Page]]:
    """Browsers that train, one more than may at once; in each of them another person."""
    query = urlencode({"lang": "en", "section": "own", **LONG})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tabs = []
        for _ in range(AT_ONCE + IN_LINE):
            tabs.append(browser.new_context().new_page())
            tabs[-1].goto(f"{url}/training?{query}")
            tabs[-1].locator(".st-key-own_start button").click(timeout=60_000)
        for tab in tabs[:AT_ONCE]:
            tab.get_by_text("s so far").wait_for(timeout=120_000)
        yield tabs
        browser.close()


def steps(tabs: list[Page]) -> int:
    """How many have been trained in all of them."""
    said = [tab.locator("[data-testid=stProgress]").inner_text() for tab in tabs[:AT_ONCE]]
    return sum(int(text.split()[1]) for text in said if text.startswith("step"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    chosen = parser.parse_args()
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        loadtest.at_rest(server.pid)
        print(json.dumps(measure(server, chosen.visitors, chosen.seconds)))


if __name__ == "__main__":
    main()
