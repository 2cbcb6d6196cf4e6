"""Two hundred pupils vote within five seconds: how long until the teacher's screen knows of an answer, and how long a
pupil waits for its own page, which all of them have drawn anew at once.

python -m benchmarks.classroom --pupils 200
"""

import argparse
import asyncio
import random
import sys
import time
from contextlib import AsyncExitStack
from urllib.parse import urlencode

import httpx2 as httpx

from benchmarks import loadtest
from benchmarks.loadtest import Visit, Visitor, percentile

QUERY = urlencode({"lang": "en", "text": "The cat sat on the mat."})
LOOK = 0.5  # seconds between two looks of the teacher, as in assets/components/classroom
SPREAD = 5.0  # seconds in which all vote
JSON = {"Content-Type": "application/json"}


class Teacher:
    """Opens a room, and looks how many have answered."""

    def __init__(self, url: str, question: str):
        self.http = httpx.AsyncClient(base_url=url, timeout=60, headers={"Cookie": loadtest.cookie(url), **JSON})
        self.question, self.counted = question, [(0.0, 0)]  # when a look came back, and how many had answered

    async def open(self) -> str:
        return (await self.http.post("/rooms", json={})).json()["code"]

    async def watch(self, room: str, until: int) -> None:
        while self.counted[-1][1] < until:
            await asyncio.sleep(LOOK)
            found = (await self.http.get(f"/rooms/{room}", params={"question": self.question})).json()
            self.counted.append((time.perf_counter(), sum(found["answers"].values())))

    def seen(self, n: int) -> float:
        """When the screen knew of the first n answers."""
        return next(at for at, count in self.counted if count >= n)


async def vote(http: httpx.AsyncClient, room: str, question: str, pupil: Visitor, cast: list[float]) -> None:
    """As a press on an answer does: told to the room at once, then the page is drawn with the answer."""
    await asyncio.sleep(random.uniform(0, SPREAD))
    cast.append(time.perf_counter())
    said, who = {"question": question, "choice": random.choice("abc")}, {"Cookie": pupil.cookie or "", **JSON}
    answer = http.post(f"/rooms/{room}/votes", json=said, headers=who)
    (await asyncio.gather(answer, pupil.click()))[0].raise_for_status()


def measure(url: str, pupils: int = 200) -> dict[str, float]:
    """Milliseconds: from an answer to the teacher's screen, and from it to the pupil's own page."""

    async def go() -> dict[str, float]:
        question = "attention.benchmark"
        teacher = Teacher(url, question)
        room = await teacher.open()
        page = Visit("attention", f"{QUERY}&room={room}", "address", state={"guess": "skip"})
        async with AsyncExitStack() as stack:
            there = [Visitor(url, page) for _ in range(pupils)]
            for pupil in there:
                await pupil.open(stack)
            cast: list[float] = []
            watching = asyncio.create_task(teacher.watch(room, pupils))
            async with httpx.AsyncClient(base_url=url, timeout=60) as http:
                await asyncio.gather(*(vote(http, room, question, pupil, cast) for pupil in there))
            await watching
        await teacher.http.aclose()
        shown = [(teacher.seen(n) - at) * 1000 for n, at in enumerate(sorted(cast), 1)]
        own = [took * 1000 for pupil in there for took in pupil.clicks]
        return {"bars_p95_ms": percentile(shown, 95), "own_p95_ms": percentile(own, 95)}

    return asyncio.run(go())


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pupils", type=int, default=200)
    with loadtest.serve() as server:
        loadtest.warm(server.url)
        print(measure(server.url, asked.parse_args().pupils))
    return 0


if __name__ == "__main__":
    sys.exit(main())
