"""Keeps the process small while it serves: the sessions that have left, what nobody reaches any more, free memory.

Python collects cycles by counting objects, and a page that is drawn leaves few of them, each holding megabytes: so here
they are collected by what they weigh. A collection stops everyone, so what the shared cache took is not a reason for
one: it goes without. Streamlit forgets a session that left only when another leaves.
"""

import asyncio
import contextlib
import gc
import time

from core import memory
from pages.shared.server import cached
from pages.shared.server.streamlit_inside import forget_sessions, server

OFTEN = 1.0  # seconds between two looks
GROWTH = 192 << 20  # bytes beside the cache since the last tidying that call for the next
SELDOM = 60.0  # seconds after which it is done all the same, if anything grew
HIGH = 1280 << 20  # bytes of the process, mapped files apart: from here on caches and sessions that left give way
LITTLE = 32 << 20  # bytes since the last tidying that call for the next up there
LEAST = 64 << 20  # bytes of the shared cache that stay even then


async def keep() -> None:
    """Tidy for as long as the server runs."""
    last, left = time.monotonic(), beside()
    while True:
        await asyncio.sleep(OFTEN)
        forget_sessions(server())
        high, seldom = memory.resident() > HIGH, time.monotonic() - last > SELDOM
        if beside() - left > (0 if seldom else LITTLE if high else GROWTH):
            await asyncio.to_thread(collect)
            last, left = time.monotonic(), beside()
        if high and memory.resident() > HIGH:
            forget_sessions(server(), everyone=True)
            await asyncio.to_thread(make_room)


def beside() -> int:
    """Bytes that are held beside the shared cache."""
    return memory.resident() - cached.size()


def collect() -> None:
    """Free what nobody reaches, and give the pages back."""
    gc.collect()
    memory.give_back()


def make_room() -> None:
    """Halve the shared cache until the process is small enough, or the cache is."""
    limit = cached.size()
    while memory.resident() > HIGH and limit > LEAST:
        limit //= 2
        cached.shrink(limit)
        memory.give_back()


@contextlib.asynccontextmanager
async def tidied():
    """A block during which the process is kept small."""
    task = asyncio.create_task(keep(), name="tidy")
    try:
        yield
    finally:
        task.cancel()
