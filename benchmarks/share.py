"""One person with many tabs, each asking without a pause, beside others who click: what the others wait.

python -m benchmarks.share --tabs 20
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from contextlib import AsyncExitStack
from urllib.parse import urlencode

from benchmarks import loadtest
from benchmarks.controls import CELL
from benchmarks.loadtest import Visit, Visitor, percentile
from benchmarks.soak import ENGLISH

GREEDY = ("input", "layernorm", "attention", "overview")


def measure(url: str, tabs: int, *, others: int = 20, seconds: float = 20, visit: Visit = CELL) -> dict[str, float]:
    """Milliseconds that `others` wait for a click, while one person opens page after page in `tabs` tabs.

    Every page of that person has a sentence of 100 words that nobody asked for before.
    """

    async def go() -> dict[str, float]:
        cookie, chance, opened = loadtest.cookie(url), random.Random(tabs), 0

        async def ask(tab: Visitor, until: float) -> None:
            nonlocal opened
            while time.perf_counter() < until:
                text = " ".join(chance.choices(ENGLISH, k=100))
                await tab.go(chance.choice(GREEDY), urlencode({"lang": "en", "text": text, "guess": "skip"}))
                opened += 1

        async with AsyncExitStack() as stack:
            visitors = [Visitor(url, visit) for _ in range(others)]
            for visitor in visitors:
                await visitor.open(stack)
            crowd = [Visitor(url, Visit(key="", timeout=120), cookie) for _ in range(tabs)]
            for tab in crowd:
                await tab.connect(stack)
            until = time.perf_counter() + seconds
            busy = [asyncio.create_task(ask(tab, until)) for tab in crowd]
            await asyncio.gather(*(visitor.stay(until, 3, False) for visitor in visitors))
            for task in busy:
                task.cancel()
            await asyncio.gather(*busy, return_exceptions=True)
        clicks = [took * 1000 for visitor in visitors for took in visitor.clicks]
        return {"tabs": tabs, "pages": opened, "p50_ms": percentile(clicks, 50), "p95_ms": percentile(clicks, 95)}

    return asyncio.run(go())


def main() -> int:
    """The command line: a line of JSON for each number of tabs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tabs", type=int, nargs="+", default=[0, 20])
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        for tabs in args.tabs:
            print(json.dumps(measure(server.url, tabs, seconds=args.seconds)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
