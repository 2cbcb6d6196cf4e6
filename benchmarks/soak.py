"""Memory over time, with visitors who keep asking for what nobody has asked before.

    python -m benchmarks.soak --visitors 60 --minutes 60
    python -m benchmarks.soak --visitors 40 --minutes 10 --tokens 512 --page input

Each visitor opens page after page with a new sentence, thinks in between, and after some pages leaves without a word,
as a closed laptop does; another comes. At the end all have left. A line each half minute: minutes, visitors there,
pages opened, resident memory in MiB.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import psutil

from benchmarks import loadtest
from benchmarks.loadtest import Visit, Visitor
from core.stages import STAGES

ENGLISH = """
    the a old young river bank teacher student reads writes buys loses seven eight books songs and but while
    yesterday tomorrow quietly never always in under behind near city house garden window music light doctor nurse
    sees helps follows forgets unbelievable tokenization electroencephalography
    """.split()  # noqa: SIM905
CHINESE = "我你他老师学生昨天今天明天在北京上海买卖看写三两本书电影歌城市河边医生护士帮助忘记说英语"
BUDGET = 2048  # MiB, what README promises of a process
PACE = 30  # seconds between two lines


@dataclass
class Soak:
    """What all visitors of a soak share: how they behave, and what has been seen."""

    url: str
    pid: int
    pages: tuple[str, ...]
    tokens: int  # of every sentence, about; 0: short ones, of either language
    think: float  # seconds between two pages, plus or minus half
    stay: int  # pages until a visitor leaves
    chance: random.Random
    there: int = 0
    opened: int = 0
    errors: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MiB, a line each

    def query(self) -> str:
        lang = self.chance.choice(("en", "zh"))
        asked = {"lang": lang, "text": self.sentence(), "guess": "skip"}
        if self.chance.random() < 0.1:
            asked["open"] = "1"
        return urlencode(asked)

    def sentence(self) -> str:
        """A text nobody typed before."""
        if self.tokens:
            return " ".join(self.chance.choices(ENGLISH[:36], k=self.tokens))[:2000]
        if self.chance.random() < 0.5:
            return "".join(self.chance.choices(CHINESE, k=self.chance.randint(4, 24)))
        return " ".join(self.chance.choices(ENGLISH, k=self.chance.randint(4, 24)))

    async def visit(self, until: float) -> None:
        """One visitor after another, until the clock shows `until`."""
        await asyncio.sleep(self.chance.uniform(0, self.think))
        while time.perf_counter() < until:
            try:
                await self.one(until)
            except (RuntimeError, OSError, TimeoutError) as error:
                self.errors.append(f"{type(error).__name__}: {error}")

    async def one(self, until: float) -> None:
        page = self.chance.choice(self.pages)
        async with AsyncExitStack() as stack:
            visitor = Visitor(self.url, Visit(page, self.query(), key="", timeout=120))
            await visitor.connect(stack)
            self.there += 1
            try:
                for _ in range(self.stay):
                    await visitor.go(self.chance.choice(self.pages), self.query())
                    self.opened += 1
                    await asyncio.sleep(self.think * self.chance.uniform(0.5, 1.5))
                    if time.perf_counter() > until:
                        return
            finally:
                self.there -= 1

    async def watch(self, start: float, until: float) -> None:
        """Say how much memory the server has, each half minute."""
        server = psutil.Process(self.pid)
        while True:
            self.memory.append(server.memory_info().rss / 2**20)
            minutes = (time.perf_counter() - start) / 60
            seen = f"{self.there:4} there {self.opened:6} pages {self.memory[-1]:7.0f} MiB"
            print(f"{minutes:6.1f} min {seen}", flush=True)
            if time.perf_counter() >= until:
                return
            await asyncio.sleep(min(PACE, max(0.1, until - time.perf_counter())))


def soak(
    server: loadtest.Server,
    visitors: int,
    minutes: float,
    *,
    pages: tuple[str, ...] = (),
    tokens: int = 0,
    think: float = 3,
    stay: int = 8,
    after: float = 0,
    seed: int = 0,
) -> Soak:
    """Let `visitors` come and go for so many minutes, then none for `after` minutes; what was seen."""
    shared = Soak(server.url, server.pid, pages or stages(), tokens, think, stay, random.Random(seed))

    async def run() -> None:
        start = time.perf_counter()
        until = start + minutes * 60
        crowd = [asyncio.create_task(shared.visit(until)) for _ in range(visitors)]
        await shared.watch(start, until)
        await asyncio.gather(*crowd)
        if after:
            await shared.watch(start, until + after * 60)

    asyncio.run(run())
    return shared


def stages() -> tuple[str, ...]:
    """The slugs of the pages there are, in the path's order."""
    return tuple(stage.slug for stage in STAGES if (loadtest.ROOT / "pages/stages" / stage.slug).is_dir())


def main() -> int:
    """The command line; 1 where the process went beyond its memory or a page failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=loadtest.ROOT, help="where app.py lies")
    parser.add_argument("--visitors", type=int, default=60)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--after", type=float, default=3, help="minutes to watch once all have left")
    parser.add_argument("--tokens", type=int, default=0, help="length of every sentence; 0: short ones")
    parser.add_argument("--page", action="append", choices=stages(), help="instead of all; repeatable")
    parser.add_argument("--think", type=float, default=3, help="seconds between two pages")
    parser.add_argument("--stay", type=int, default=8, help="pages until a visitor leaves")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with loadtest.serve(args.folder) as server:
        loadtest.warm(server.url)
        seen = soak(
            server,
            args.visitors,
            args.minutes,
            pages=tuple(args.page or ()),
            tokens=args.tokens,
            think=args.think,
            stay=args.stay,
            after=args.after,
            seed=args.seed,
        )
    for error in sorted(set(seen.errors))[:20]:
        print(f"{seen.errors.count(error)} times: {error}")
    print(f"most {max(seen.memory):.0f} MiB, budget {BUDGET}; at the end {seen.memory[-1]:.0f}")
    return int(bool(seen.errors) or max(seen.memory) > BUDGET)


if __name__ == "__main__":
    sys.exit(main())
