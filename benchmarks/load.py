"""A whole year's lesson at once: four hundred click through nginx and two processes, a hundred open one link.

    python -m benchmarks.load --visitors 400 --together 100     (make load)

On one machine with the visitors: where `client_cpu_percent` is near 100, or the cores are fewer than five, the numbers
are upper bounds.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks import loadtest
from benchmarks.controls import CELL
from benchmarks.loadtest import Visit, Visitor
from benchmarks.replicas import replicated

ARRIVING = 2.0  # seconds within which all press the link
LINK = Visit("attention", query="lang=en&guess=skip", key="address")


def together(url: str, visitors: int = 100, visit: Visit = LINK) -> float:
    """Seconds until the last of so many has the page, from the first one's click on a link on."""

    async def go() -> float:
        async with AsyncExitStack() as stack:
            start = time.perf_counter()

            async def come(number: int) -> None:
                await asyncio.sleep(ARRIVING * number / visitors)
                await Visitor(url, visit).open(stack)

            await asyncio.gather(*map(come, range(visitors)))
            return time.perf_counter() - start

    return asyncio.run(go())


def line(what: str, found: float, budget: float, unit: str) -> None:
    print(f"{what:60} {found:8.2f} {unit:3} budget {budget:g}{'' if found <= budget else '  OVER'}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=400)
    parser.add_argument("--together", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30)
    args = parser.parse_args()
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        loadtest.at_rest(server.pid)
        line(
            f"{args.together} open one link, one process: all have it after",
            together(server.url, args.together),
            5,
            "s",
        )
    with tempfile.TemporaryDirectory() as folder, replicated(Path(folder)) as (url, replicas):
        for running, _ in replicas.running.values():
            loadtest.at_rest(running.pid)
        line(f"{args.together} open one link, two processes: all have it after", together(url, args.together), 3, "s")
        many = loadtest.measure(url, visitors=args.visitors, seconds=args.seconds, think=3, visit=CELL)
        line(f"{args.visitors} clicking every 3 s through two processes: 95 %", many["p95_ms"], 100, "ms")
        print(many)


if __name__ == "__main__":
    main()
