"""A class that types to the chat model, and what that costs the others.

    python -m benchmarks.prompts --visitors 50 --every 10 --seconds 40

Each visitor opens the page anew with a prompt of about 20 tokens that nobody typed before; ten others click cells in
MiniLM's matrix meanwhile. One line of JSON: the seconds from a prompt to its whole page, and the others' clicks.
"""

import argparse
import asyncio
import json
import random
import time
from contextlib import AsyncExitStack
from urllib.parse import urlencode

import psutil

from benchmarks.loadtest import Visit, Visitor, percentile, serve
from core.zoo import able

OTHERS = 10
WORDS = ("river", "teacher", "garden", "winter", "story", "music", "window", "market", "summer", "letter", "morning")
START = "Once upon a time there lived a very old"


def prompt(chance: random.Random) -> str:
    """About twenty tokens."""
    return f"{START} {' and a '.join(chance.choices(WORDS, k=2))} seen {chance.randrange(10**3)} times"


def address(page: str, chance: random.Random) -> Visit:
    query = urlencode({"lang": "en", "guess": "skip", "model": able("turn"), "text": prompt(chance)})
    return Visit(page=page, query=query, key="")


async def types(visitor: Visitor, until: float, every: float, chance: random.Random) -> list[float]:
    """The seconds each of its prompts took."""
    took = []
    await asyncio.sleep(chance.uniform(0, every))
    while time.perf_counter() < until:
        took.append(await visitor.go(visitor.visit.page, address(visitor.visit.page, chance).query))
        await asyncio.sleep(max(0, every * chance.uniform(0.8, 1.2) - took[-1]))
    return took


def measure(
    url: str, page: str = "output", visitors: int = 50, every: float = 10, seconds: float = 40
) -> dict[str, float]:
    """How long prompts and the others' clicks take."""
    return asyncio.run(_measure(url, page, visitors, every, seconds))


async def _measure(url: str, page: str, visitors: int, every: float, seconds: float) -> dict[str, float]:
    chance = random.Random(1)
    async with AsyncExitStack() as stack:
        typing = [Visitor(url, address(page, chance)) for _ in range(visitors)]
        others = [Visitor(url, Visit(query="lang=en&guess=skip")) for _ in range(OTHERS)]
        for visitor in (*typing, *others):
            await visitor.open(stack)
        until = time.perf_counter() + seconds
        prompts, _ = await asyncio.gather(
            asyncio.gather(*(types(visitor, until, every, random.Random(i)) for i, visitor in enumerate(typing))),
            asyncio.gather(*(visitor.stay(until, 3, False) for visitor in others)),
        )
    pages = [took for one in prompts for took in one]
    clicks = [1000 * took for visitor in others for took in visitor.clicks]
    return {
        "prompts": len(pages),
        "prompt_p50_s": percentile(pages, 50),
        "prompt_p95_s": percentile(pages, 95),
        "others_p50_ms": percentile(clicks, 50),
        "others_p95_ms": percentile(clicks, 95),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", default="output")
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--every", type=float, default=10, help="seconds between the prompts of one visitor")
    parser.add_argument("--seconds", type=float, default=40)
    args = parser.parse_args()
    with serve() as server:
        found = measure(server.url, args.page, args.visitors, args.every, args.seconds)
        found["memory_mib"] = psutil.Process(server.pid).memory_info().rss / 2**20
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
